import type { Module } from '#modules/module.ts'
import { AiInteractionEvent } from './events.ts'
import { aiInteractionsProjection } from './projection.ts'
import { assistantSettings } from './settings.ts'

/** The analyst of forms: rules, and a model where one is connected, with the record of every question to it. */
export const assistant: Module = {
  name: 'assistant',
  events: [AiInteractionEvent],
  projections: [aiInteractionsProjection],
  settings: assistantSettings,
}
