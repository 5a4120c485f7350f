import type { ModelName } from '#contracts/values/ai-models.ts'
import { costUnitsPerDollar } from '#contracts/values/ai-models.ts'
import type { ModelPrice } from '../settings.ts'

/** OpenAI's prices in dollars per million tokens (openai.com/api/pricing, read in November 2026). */
const prices: Record<Exclude<ModelName, 'other'>, ModelPrice> = {
  'gpt-5': { input: 1.25, output: 10 },
  'gpt-5-mini': { input: 0.25, output: 2 },
  'gpt-5-nano': { input: 0.05, output: 0.4 },
  'gpt-4.1': { input: 2, output: 8 },
  'gpt-4.1-mini': { input: 0.4, output: 1.6 },
  'gpt-4.1-nano': { input: 0.1, output: 0.4 },
  'gpt-4o': { input: 2.5, output: 10 },
  'gpt-4o-mini': { input: 0.15, output: 0.6 },
}

/** Returns the price of a model; undefined for one that is not in the table. */
export const findModelPrice = (model: string): ModelPrice | undefined =>
  Object.hasOwn(prices, model) ? prices[model as keyof typeof prices] : undefined

/** Returns the cost of tokens in ten-thousandths of a US dollar, rounded up: a budget is never exceeded by rounding. */
export const computeCost = (tokens: { input: number; output: number }, price: ModelPrice): number =>
  Math.ceil(((tokens.input * price.input + tokens.output * price.output) * costUnitsPerDollar) / 1_000_000)
