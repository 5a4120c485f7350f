import { defineSettings } from '#modules/module.ts'

/** The dollars that a million tokens cost. */
export type ModelPrice = { input: number; output: number }

/** The model that this installation asks. */
export type ModelSettings = {
  apiKey: string
  /** The address of the API with its version, without a trailing slash; null for OpenAI itself. */
  baseUrl: string | null
  model: string
  price: ModelPrice
  /** The dollars that one practice may spend within a day of its calendar. */
  dailyBudget: number
}

/** `model` is null where no model is connected: rules do its work. */
export const assistantSettings = defineSettings<{ model: ModelSettings | null }>('assistant')
