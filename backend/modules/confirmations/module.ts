import type { Module } from '#modules/module.ts'
import { ConfirmationEvent, ConfirmationSettingsChanged, TextNumberEvent } from './events.ts'
import { applyConfirmationAnswer, planAgain, planForAppointment, sendConfirmation } from './jobs.ts'
import { askPatients } from './process-manager.ts'
import {
  confirmationPatientsProjection,
  confirmationSettingsProjection,
  confirmationsProjection,
} from './projection.ts'
import { confirmationRoutes } from './routes.ts'
import { confirmationSettings } from './settings.ts'

/** Asks patients whether their appointments suit, by text message and email, and takes their answers. */
export const confirmations: Module = {
  name: 'confirmations',
  events: [ConfirmationEvent, ConfirmationSettingsChanged, TextNumberEvent],
  projections: [confirmationsProjection, confirmationSettingsProjection, confirmationPatientsProjection],
  processManagers: [askPatients],
  jobs: [planForAppointment, planAgain, sendConfirmation, applyConfirmationAnswer],
  liveUpdates: [{ kinds: ['confirmations'], events: [ConfirmationEvent, ConfirmationSettingsChanged] }],
  settings: confirmationSettings,
  routes: confirmationRoutes,
}
