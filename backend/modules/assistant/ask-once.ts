import { costUnitsPerDollar } from '#contracts/values/ai-models.ts'
import { toInstant, toLocalDate } from '#contracts/values/calendar.ts'
import type { AiInteractionId, FormId, PracticeId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { Services } from '#modules/module.ts'
import { findTimeZone } from '#modules/practices/public.ts'
import { type InteractionCommand, interactionDecider } from './decider.ts'
import { askModel, type Question } from './model/openai.ts'
import { computeCost } from './model/prices.ts'
import { sumInteractions } from './queries.ts'
import { assistantSettings } from './settings.ts'

/** A question to the model, and what it is about. A repetition with the same id is not asked again. */
export type ModelQuestion<Output> = Question<Output> & {
  interactionId: AiInteractionId
  practiceId: PracticeId
  interactionType: Extract<InteractionCommand, { type: 'Begin' }>['interaction']['interactionType']
  /** The form that it is about; null for a question about none. */
  formId: FormId | null
}

/**
 * Asks the model unless it was asked before, and records it before and after. Returns the reply; null without a usable one,
 * without a model, and once the practice has spent its budget since its midnight.
 */
export async function askOnce<Output>(
  services: Services,
  { interactionId, practiceId, interactionType, formId, ...question }: ModelQuestion<Output>,
  context: CommandContext,
  signal: AbortSignal,
): Promise<Output | null> {
  const { bus, db, clock, vendors } = services
  const { model: settings } = assistantSettings.read(services)
  if (!settings) return null
  const timeZone = await findTimeZone(db, practiceId)
  const dayStart = toInstant(toLocalDate(clock(), timeZone), '00:00', timeZone)
  const spent = await sumInteractions(db, practiceId, dayStart)
  const interaction = { interactionId, practiceId, interactionType, formId, model: settings.model }
  const { events } = await bus.execute(interactionDecider, interactionId, { type: 'Begin', interaction }, context)
  const end = (status: 'completed' | 'failed' | 'unknown' | 'skipped', reason: string | null, tokens = noTokens) => {
    const used = { inputTokens: tokens.input, outputTokens: tokens.output, cost: computeCost(tokens, settings.price) }
    const command = { type: 'End', outcome: { status, reason, ...used } } as const
    return bus.execute(interactionDecider, interactionId, command, context)
  }
  if (events.length === 0) {
    // An earlier attempt was stopped, or is still waiting: it may have been charged.
    await end('unknown', 'interrupted')
    return null
  }
  if (spent.cost >= settings.dailyBudget * costUnitsPerDollar) {
    await end('skipped', 'daily-budget')
    return null
  }
  const { output, reason, tokens } = await askModel(settings, question, signal)
  await vendors.record('ai', isVendorFailure(reason) ? reason : null)
  await end(output === null ? 'failed' : 'completed', reason, tokens)
  return output
}

const noTokens = { input: 0, output: 0 }

/** A refusal, or a reply that cannot be used, is about one question: the vendor works. */
const isVendorFailure = (reason: string | null) => reason !== null && /^(http-|no-reply)/.test(reason)
