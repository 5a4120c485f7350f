import { z } from 'zod'
import { AiInteractionId, FormId, PracticeId } from '#contracts/values/ids.ts'
import { event } from '#eventstore/event.ts'

const count = z.number().int().min(0)

/**
 * The history of one question to a model. It holds neither the question nor the reply: what a model was asked is in the record
 * that the question is about.
 */
export const AiInteractionEvent = z.discriminatedUnion('type', [
  /** The question is about to leave: from here on it may have been charged. */
  event('AiInteractionBegun', {
    interactionId: AiInteractionId,
    practiceId: PracticeId,
    interactionType: z.enum(['form-analysis', 'chat-question']),
    /** Null for a question about no form. */
    formId: FormId.nullable(),
    model: z.string(),
  }),
  /**
   * `reason` is a code, null when the reply was used. `unknown`: this installation stopped before the reply; the vendor may have
   * charged it. `skipped`: it was not asked, because the practice's budget of the day was spent. `cost`: in ten-thousandths of a
   * US dollar.
   */
  event('AiInteractionEnded', {
    interactionId: AiInteractionId,
    practiceId: PracticeId,
    status: z.enum(['completed', 'failed', 'unknown', 'skipped']),
    reason: z.string().nullable(),
    inputTokens: count,
    outputTokens: count,
    cost: count,
  }),
])
export type AiInteractionEvent = z.infer<typeof AiInteractionEvent>
