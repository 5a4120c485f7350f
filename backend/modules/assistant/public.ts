import { formatCost } from '#contracts/values/ai-models.ts'
import type { Services } from '#modules/module.ts'
import * as analysis from './analyze-form.ts'
import * as asking from './ask-once.ts'
import * as rules from './analyze-by-rules.ts'
import * as identifiers from './model/remove-identifiers.ts'
import * as openai from './model/openai.ts'
import { sumInteractions } from './queries.ts'
import { assistantSettings } from './settings.ts'

/** Analyzes the answers of a form by rules, without a model. */
export const analyzeByRules = rules.analyzeByRules

/** Analyzes a version of a form, by the model where one is connected. */
export const analyzeForm = analysis.analyzeForm

/** Asks the model a question once, and records it. Returns the reply; null without a usable one. */
export const askModelOnce = asking.askOnce

/** Removes from a text the given names, and whatever looks like a way to reach or find a person. */
export const removeIdentifiers = identifiers.removeIdentifiers

/** Returns the name of the model that this installation is connected to; null when it is to none. */
export const getModelName = (services: Pick<Services, 'settings'>): string | null =>
  assistantSettings.read(services).model?.model ?? null

/** Returns whether this installation is connected to a model. */
export const isModelConnected = (services: Pick<Services, 'settings'>): boolean => getModelName(services) !== null

/** Asks the vendor for the model, and records the outcome. Returns the code of the error; null when it works. */
export async function testModel(services: Pick<Services, 'settings' | 'vendors'>): Promise<string | null> {
  const { model } = assistantSettings.read(services)
  if (!model) return null
  const error = await openai.testModel(model)
  await services.vendors.record('ai', error)
  return error
}

/** The use that a practice made of the model since an instant; `cost` in dollars, with four decimals. */
type ModelUse = { name: string; calls: number; tokens: number; cost: string }

/** Returns the use of the model since an instant; null without a model. */
export async function findModelUse(
  services: Pick<Services, 'settings' | 'db'>,
  practiceId: string,
  since: string,
): Promise<ModelUse | null> {
  const { model } = assistantSettings.read(services)
  if (!model) return null
  const { calls, tokens, cost } = await sumInteractions(services.db, practiceId, since)
  return { name: model.model, calls, tokens, cost: formatCost(cost) }
}
