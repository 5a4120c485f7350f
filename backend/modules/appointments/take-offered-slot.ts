import type { AppointmentType } from '#contracts/values/appointments.ts'
import {
  AppointmentId,
  type PatientId,
  type PracticeId,
  type ProviderId,
  ReservationId,
  type WaitlistEntryId,
} from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import type { Services } from '#modules/module.ts'
import { findPracticeProviders } from '#modules/providers/public.ts'
import type { ReservationEvent } from '#modules/schedule/events.ts'
import { createSlot, findReservationEvent } from '#modules/schedule/public.ts'
import { withWaitlistEntry } from '#modules/waitlist/public.ts'
import { findLoadedAppointment } from './require-records.ts'
import { loadSeen, reserveSlot, wasReserved } from './reservations.ts'

/** A slot that was offered to a patient on the waitlist. `startsAt` is an ISO instant. */
export type OfferedSlot = {
  /** Names the offer; one offer books at most once. */
  slotOfferId: string
  practiceId: PracticeId
  patientId: PatientId
  waitlistEntryId: WaitlistEntryId
  providerId: ProviderId
  startsAt: string
  neededMinutes: number
  appointmentType: AppointmentType
}

const toReservationId = (slotOfferId: string) => ReservationId.parse(deriveId(`taken offer ${slotOfferId}`))

async function toSlot({ db }: Pick<Services, 'db'>, offer: OfferedSlot) {
  const { practiceId, providerId, startsAt, neededMinutes, slotOfferId } = offer
  const provider = (await findPracticeProviders(db, practiceId)).find(({ id }) => id === providerId)
  return provider ? createSlot(provider, startsAt, neededMinutes, toReservationId(slotOfferId)) : null
}

/** Returns the open appointment of the patient that is to be moved; null when there is none any more. */
async function loadOwn({ bus }: Pick<Services, 'bus'>, { practiceId, patientId }: OfferedSlot, own: AppointmentId) {
  const loaded = await findLoadedAppointment(bus, practiceId, own)
  const isOpen = loaded?.state.status === 'scheduled' || loaded?.state.status === 'confirmed'
  return isOpen && loaded?.state.patientId === patientId ? loaded : null
}

/**
 * Books an offered slot for its patient, confirmed, and removes the waitlist entry; moves the appointment that the patient wanted
 * earlier, if it is still open. A repetition has no effect. Throws `CommandRejected` with `slot-taken`, `superseded` or
 * `provider-inactive`, and the problems of `withWaitlistEntry`.
 */
export async function takeOfferedSlot(
  services: Services,
  offer: OfferedSlot & { ownAppointmentId: AppointmentId | null },
  context: CommandContext,
): Promise<void> {
  const { practiceId, patientId, waitlistEntryId, slotOfferId, appointmentType, ownAppointmentId } = offer
  const slot = await toSlot(services, offer)
  if (!slot) return
  const own = ownAppointmentId === null ? null : await loadOwn(services, offer, ownAppointmentId)
  const ids = { practiceId, patientId, waitlistEntryId, slot }
  const appointmentId = own?.state.appointmentId ?? AppointmentId.parse(deriveId(`appointment of offer ${slotOfferId}`))
  const event = own
    ? {
        type: 'SlotReservedForMove',
        data: {
          ...ids,
          appointmentId,
          previousReservationId: own.state.slot.reservationId,
          expectedRevision: null,
          change: { status: 'confirmed' },
          completion: null,
        },
      }
    : {
        type: 'SlotReservedForBooking',
        data: {
          ...ids,
          appointmentId,
          type: appointmentType,
          reason: null,
          notes: null,
          status: 'confirmed',
          completion: null,
          seriesId: null,
        },
      }
  const seen = await loadSeen(services, patientId, slot.providerId)
  const options = { allowOverlap: false, seen, ...(own ? { moved: own } : {}) }
  await withWaitlistEntry(services, waitlistEntryId, { practiceId, patientId }, context, {
    run: () => reserveSlot(services, event as ReservationEvent, context, options),
    wasRun: () => wasReserved(services, slot),
    toBooked: () => ({ appointmentId, startsAt: slot.startsAt }),
  })
}

/** Returns the appointment for which an offered slot was taken; null when it was not. */
export async function wasOfferTaken(
  services: Pick<Services, 'db' | 'store'>,
  offer: OfferedSlot,
): Promise<AppointmentId | null> {
  const slot = await toSlot(services, offer)
  const reserved = slot && (await findReservationEvent(services.store, slot, slot.days[0] ?? ''))
  return reserved?.data.appointmentId ?? null
}
