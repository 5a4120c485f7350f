import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AiInteractionId } from '#contracts/values/ids.ts'
import { fold, isRejection } from '#eventstore/decider.ts'
import { type InteractionCommand, interactionDecider } from '#modules/assistant/decider.ts'
import type { AiInteractionEvent } from '#modules/assistant/events.ts'
import { computeCost, findModelPrice } from '#modules/assistant/model/prices.ts'
import { aiInteractionsProjection } from '#modules/assistant/projection.ts'
import { type AnyProjection, applyEvent, type Rows } from '#projections/projection.ts'
import { formId } from '#tests/modules/forms/fixtures.ts'
import { practiceId } from '#tests/modules/patients/patient-fixtures.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import { recordedEvent } from '#tests/support/events.ts'

const given = deciderSpec(interactionDecider)
const interactionId = AiInteractionId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0091')
const interaction = { interactionId, practiceId, interactionType: 'form-analysis', formId, model: 'gpt-5' } as const
const begun: AiInteractionEvent = { type: 'AiInteractionBegun', data: interaction }
const tokens = { inputTokens: 2_000, outputTokens: 500, cost: 75 }
const completed = { status: 'completed', reason: null, ...tokens } as const
const unknown = { status: 'unknown', reason: 'interrupted', inputTokens: 0, outputTokens: 0, cost: 0 } as const
const ended = (outcome: typeof completed | typeof unknown): AiInteractionEvent => ({
  type: 'AiInteractionEnded',
  data: { interactionId, practiceId, ...outcome },
})

describe('a question to a model', () => {
  it('is begun once, and keeps its outcome', () => {
    given().when({ type: 'Begin', interaction }).then(begun)
    given(begun).when({ type: 'Begin', interaction }).thenNothing()
    given(begun).when({ type: 'End', outcome: completed }).then(ended(completed))
    given(begun, ended(completed)).when({ type: 'End', outcome: unknown }).thenNothing()
    given(begun, ended(completed)).when({ type: 'Begin', interaction }).thenNothing()
    given().when({ type: 'End', outcome: completed }).thenNothing()
  })

  it('is concluded by a reply that arrives after it was given up', () => {
    given(begun).when({ type: 'End', outcome: unknown }).then(ended(unknown))
    given(begun, ended(unknown)).when({ type: 'End', outcome: unknown }).thenNothing()
    given(begun, ended(unknown)).when({ type: 'End', outcome: completed }).then(ended(completed))
  })

  it('is charged at most once, whatever is tried in whatever order', () => {
    const command = fc.constantFrom<InteractionCommand>(
      { type: 'Begin', interaction },
      { type: 'End', outcome: completed },
      { type: 'End', outcome: unknown },
    )
    fc.assert(
      fc.property(fc.array(command, { maxLength: 12 }), (commands) => {
        let history: AiInteractionEvent[] = []
        for (const each of commands) {
          const decided = interactionDecider.decide(each, fold(interactionDecider, history))
          if (!isRejection(decided)) history = [...history, ...decided]
        }
        expect(history.filter(({ type }) => type === 'AiInteractionBegun').length).toBeLessThanOrEqual(1)
        const costs = history.flatMap((each) => (each.type === 'AiInteractionEnded' ? each.data.cost : []))
        expect(costs.filter((cost) => cost > 0).length).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('a cost', () => {
  it('is that of the tokens, rounded up to a ten-thousandth of a dollar', () => {
    const price = findModelPrice('gpt-5') ?? { input: 0, output: 0 }
    expect(computeCost({ input: 2_000, output: 500 }, price)).toBe(75)
    expect(computeCost({ input: 1, output: 0 }, price)).toBe(1)
    expect(computeCost({ input: 0, output: 0 }, price)).toBe(0)
    expect(findModelPrice('constructor')).toBeUndefined()
  })
})

it('becomes a row without its text', () => {
  const rows: Rows = new Map()
  const apply = (event: AiInteractionEvent) =>
    applyEvent(aiInteractionsProjection as AnyProjection, rows, recordedEvent(event))
  apply(begun)
  expect([...rows.values()]).toMatchObject([{ id: interactionId, status: 'running', cost: 0, user_id: null }])
  apply(ended(completed))
  expect([...rows.values()]).toMatchObject([
    { status: 'completed', reason: null, input_tokens: 2_000, output_tokens: 500, cost: 75, model: 'gpt-5' },
  ])
})
