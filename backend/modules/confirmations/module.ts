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

/** Asks patients whether their appointments suit, by text message and email, and takes their answers. */
export const confirmations: Module = {
  name: 'confirmations',
  events: [ConfirmationEvent, ConfirmationSettingsChanged, TextNumberEvent, SlotOfferEvent],
  projections: [
    confirmationsProjection,
    confirmationSettingsProjection,
    confirmationPatientsProjection,
    slotOffersProjection,
  ],
  processManagers: [askPatients, offerFreedSlots],
  jobs: [
    planForAppointment,
    planAgain,
    sendConfirmation,
    applyConfirmationAnswer,
    offerFreedSlot,
    offerToNextPatient,
    sendSlotOffer,
    expireSlotOffer,
  ],
  liveUpdates: [{ kinds: ['confirmations'], events: [ConfirmationEvent, ConfirmationSettingsChanged, SlotOfferEvent] }],
  settings: confirmationSettings,
  routes: confirmationRoutes,
}
