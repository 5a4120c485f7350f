import type { Module } from '#modules/module.ts'
import { ConfirmationEvent, ConfirmationSettingsChanged, TextNumberEvent } from './events.ts'
import { applyConfirmationAnswer, planAgain, planForAppointment, sendConfirmation } from './jobs.ts'
import { SlotOfferEvent } from './offers/events.ts'
import { expireSlotOffer, offerFreedSlot, offerToNextPatient, sendSlotOffer } from './offers/jobs.ts'
import { offerFreedSlots } from './offers/process-manager.ts'
import { slotOffersProjection } from './offers/projection.ts'
import { askPatients } from './process-manager.ts'
import {
  confirmationPatientsProjection,
  confirmationSettingsProjection,
  confirmationsProjection,
} from './projection.ts'
import { confirmationRoutes } from './routes.ts'
import { confirmationSettings } from './settings.ts'
import { SurveyEvent } from './surveys/events.ts'
import { followUpSurvey, planSurvey, sendSurvey } from './surveys/jobs.ts'
import { askAboutSatisfaction } from './surveys/process-manager.ts'
import { surveysProjection } from './surveys/projection.ts'

/** Asks patients whether their appointments suit, and how satisfied they were, by text message and email; takes their answers. */
export const confirmations: Module = {
  name: 'confirmations',
  events: [ConfirmationEvent, ConfirmationSettingsChanged, TextNumberEvent, SlotOfferEvent, SurveyEvent],
  projections: [
    confirmationsProjection,
    confirmationSettingsProjection,
    confirmationPatientsProjection,
    slotOffersProjection,
    surveysProjection,
  ],
  processManagers: [askPatients, offerFreedSlots, askAboutSatisfaction],
  jobs: [
    planForAppointment,
    planAgain,
    sendConfirmation,
    applyConfirmationAnswer,
    offerFreedSlot,
    offerToNextPatient,
    sendSlotOffer,
    expireSlotOffer,
    planSurvey,
    sendSurvey,
    followUpSurvey,
  ],
  liveUpdates: [{ kinds: ['confirmations'], events: [ConfirmationEvent, ConfirmationSettingsChanged, SlotOfferEvent] }],
  settings: confirmationSettings,
  routes: confirmationRoutes,
}
