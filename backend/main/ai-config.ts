import type { ModelSettings } from '#modules/assistant/settings.ts'
import { findModelPrice } from '#modules/assistant/model/prices.ts'
import { StartError } from '#runtime/start-error.ts'
import { defineVariable, isHttpUrl, parseUrl, text } from './config-variable.ts'

const defaultModel = 'gpt-5'
const defaultBudget = 5

const dollars = text.transform(Number).refine((value) => Number.isFinite(value) && value >= 0)

/** The environment variables for the model. */
export const aiVariables = {
  OPENAI_API_KEY: defineVariable({
    defaultValue: '',
    description:
      'Connects a model of OpenAI, which analyzes forms and reads questions to the assistant, without names. Without it, rules do, and nothing leaves.',
    requirement: 'a key of OpenAI',
    secret: true,
    schema: text.min(8).optional(),
  }),
  OPENAI_BASE_URL: defineVariable({
    defaultValue: 'https://api.openai.com/v1',
    description: "The address of OpenAI's API, or of a server of your own that speaks its Responses API.",
    requirement: 'an address such as https://models.example/v1',
    schema: text
      .refine((value) => {
        const url = parseUrl(value)
        return url !== undefined && isHttpUrl(url) && url.search === '' && url.hash === ''
      })
      .transform((value) => value.replace(/\/+$/, ''))
      .optional(),
  }),
  OPENAI_MODEL: defineVariable({
    defaultValue: defaultModel,
    description: 'The name of the model.',
    requirement: 'the name of a model, such as gpt-5-mini',
    schema: text.regex(/^[\w.:/-]{1,100}$/).default(defaultModel),
  }),
  OPENAI_PRICE: defineVariable({
    defaultValue: '',
    description:
      'The dollars per million tokens that go in and that come out, as 1.25/10. Known for the models of OpenAI in 2026; needed for others.',
    requirement: 'two numbers, such as 1.25/10',
    schema: text
      .regex(/^\d+(\.\d+)?\/\d+(\.\d+)?$/)
      .transform((value) => {
        const [input = 0, output = 0] = value.split('/').map(Number)
        return { input, output }
      })
      .optional(),
  }),
  OPENAI_DAILY_BUDGET: defineVariable({
    defaultValue: String(defaultBudget),
    description: 'The dollars that one practice may spend on the model a day; beyond them, rules analyze.',
    requirement: 'a number of dollars, such as 5 or 0.5',
    schema: dollars.default(defaultBudget),
  }),
}

type Values = {
  OPENAI_API_KEY?: string | undefined
  OPENAI_BASE_URL?: string | undefined
  OPENAI_MODEL: string
  OPENAI_PRICE?: ModelSettings['price'] | undefined
  OPENAI_DAILY_BUDGET: number
}

/** Returns the model that is connected; null without a key. Throws StartError for a model whose price is not known. */
export function parseModelSettings(values: Values): ModelSettings | null {
  const { OPENAI_API_KEY: apiKey, OPENAI_MODEL: model, OPENAI_DAILY_BUDGET: dailyBudget } = values
  if (!apiKey) return null
  const price = values.OPENAI_PRICE ?? findModelPrice(model)
  if (!price) throw new StartError(`OPENAI_PRICE must be set for the model ${model}: its price is not known.`)
  return { apiKey, baseUrl: values.OPENAI_BASE_URL ?? null, model, price, dailyBudget }
}
