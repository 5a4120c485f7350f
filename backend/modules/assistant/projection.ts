import { defineProjection } from '#projections/projection.ts'
import type { AiInteractionEvent } from './events.ts'

type InteractionRow = {
  id: string
  practice_id: string
  /** The user who asked; null for a question of a process. */
  user_id: string | null
  interaction_type: string
  /** Null for a question about no form. */
  form_id: string | null
  model: string
  input_tokens: number
  output_tokens: number
  /** Ten-thousandths of a US dollar. */
  cost: number
  /** `running` until it has ended. */
  status: string
  reason: string | null
  created_at: string
}

/** Every question to a model, with what it cost, and without its text. */
export const aiInteractionsProjection = defineProjection<AiInteractionEvent, InteractionRow>({
  name: 'ai_interactions',
  version: 2,
  isMetadataOnly: true,
  columns: {
    id: 'uuid',
    practice_id: 'uuid',
    user_id: 'uuid',
    interaction_type: 'text',
    form_id: 'uuid',
    model: 'text',
    input_tokens: 'int4',
    output_tokens: 'int4',
    cost: 'int4',
    status: 'text',
    reason: 'text',
    created_at: 'timestamptz',
  },
  key: 'id',
  indexes: ['(practice_id, created_at) include (cost, input_tokens, output_tokens, status)'],
  rowOf: ({ data }) => data.interactionId,
  on: {
    AiInteractionBegun: (_, { data, metadata: { actor, at } }) => ({
      id: data.interactionId,
      practice_id: data.practiceId,
      user_id: actor.kind === 'user' ? actor.userId : null,
      interaction_type: data.interactionType,
      form_id: data.formId,
      model: data.model,
      input_tokens: 0,
      output_tokens: 0,
      cost: 0,
      status: 'running',
      reason: null,
      created_at: at,
    }),
    AiInteractionEnded: (row, { data }) =>
      row && {
        ...row,
        input_tokens: data.inputTokens,
        output_tokens: data.outputTokens,
        cost: data.cost,
        status: data.status,
        reason: data.reason,
      },
  },
})
