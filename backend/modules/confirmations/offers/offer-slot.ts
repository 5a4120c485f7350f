import { toLocalDate } from '#contracts/values/calendar.ts'
import { type PracticeId, type ProviderId, type ReservationId, SlotOfferId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import { findOccupiedSlots, isWorkingTime } from '#modules/appointments/public.ts'
import { hasPlan } from '#modules/billing/public.ts'
import type { Services } from '#modules/module.ts'
import { findTimeZone } from '#modules/practices/public.ts'
import { findPracticeProviders } from '#modules/providers/public.ts'
import { findEntries, fits } from '#modules/waitlist/matching/public.ts'
import { findWorkCalendar } from '#modules/working-hours/public.ts'
import { findChannel } from '../channel.ts'
import type { ConfirmationSettings } from '../decider.ts'
import { findSettings } from '../queries.ts'
import { confirmationSettings } from '../settings.ts'
import { isOpenOffer, type KnownOffer, slotOfferDecider } from './decider.ts'
import { computeOfferTimes } from './times.ts'

/** A slot that became free. `startsAt` is an ISO instant, `duration` in minutes. */
export type FreedSlot = {
  reservationId: ReservationId
  providerId: ProviderId
  startsAt: string
  duration: number
}

/** Number of patients who are asked about one slot at most. */
const maxOffers = 20

/** Returns the id of an offer: the same, however often it is made. */
const toOfferId = (reservationId: string, number: number) =>
  SlotOfferId.parse(deriveId(`slot offer ${number} ${reservationId}`))

/**
 * Offers a freed slot to the patient who has waited longest of those whom it suits. Offers nothing while another offer of the
 * slot is open, and after one was accepted; no patient is asked twice. A repetition has no effect.
 */
export async function offerSlot(
  services: Services,
  practiceId: PracticeId,
  slot: FreedSlot,
  context: CommandContext,
): Promise<void> {
  const { bus, db, clock } = services
  const settings = await findSettings(db, practiceId)
  if (!settings.offerFreedSlots || !(await hasPlan(db, practiceId, clock()))) return
  const earlier = await loadOffers(services, slot.reservationId)
  const isSettled = earlier.some((offer) => isOpenOffer(offer) || offer.status === 'accepted')
  if (isSettled || earlier.length >= maxOffers) return
  const zone = await findTimeZone(db, practiceId)
  const { hasQuietHours } = confirmationSettings.read(services)
  const times = computeOfferTimes({ startsAt: slot.startsAt, zone, now: clock(), hasQuietHours })
  if (!times || !(await isSlotFree(services, practiceId, slot))) return
  const asked = new Set(earlier.map(({ patientId }) => patientId))
  const candidate = await findCandidate(services, { practiceId, slot, zone, asked, settings })
  if (!candidate) return
  const { entry, channel } = candidate
  const number = earlier.length + 1
  const slotOfferId = toOfferId(slot.reservationId, number)
  const offer = {
    slotOfferId,
    number,
    practiceId,
    ...slot,
    patientId: entry.patientId,
    waitlistEntryId: entry.id,
    neededMinutes: entry.duration,
    appointmentType: entry.type,
    channel,
    ...times,
  }
  await bus.execute(slotOfferDecider, slotOfferId, { type: 'Offer', offer }, context)
}

/** Loads the offers of a slot that were made, in order. */
async function loadOffers({ bus }: Services, reservationId: string): Promise<KnownOffer[]> {
  const offers: KnownOffer[] = []
  for (let number = 1; number <= maxOffers; number++) {
    const { state } = await bus.load(slotOfferDecider, toOfferId(reservationId, number))
    if (!state.exists) break
    offers.push(state)
  }
  return offers
}

/** Returns whether a slot is in the working time of an active provider, and has no appointment. */
export async function isSlotFree(
  { db }: Pick<Services, 'db'>,
  practiceId: PracticeId,
  { reservationId, ...slot }: FreedSlot,
): Promise<boolean> {
  const zone = await findTimeZone(db, practiceId)
  const day = toLocalDate(slot.startsAt, zone)
  const [providers, occupied, calendar] = await Promise.all([
    findPracticeProviders(db, practiceId),
    findOccupiedSlots(db, { practiceId, includeSamples: false }, [{ id: reservationId, ...slot }]),
    findWorkCalendar(db, practiceId, { from: day, until: day }),
  ])
  const isActive = providers.some(({ id, active }) => active && id === slot.providerId)
  return isActive && occupied.size === 0 && isWorkingTime(calendar, zone, slot)
}

type CandidateOptions = {
  practiceId: PracticeId
  slot: FreedSlot
  zone: string
  /** The patients who were asked about the slot before. */
  asked: ReadonlySet<string>
  settings: ConfirmationSettings
}

/** Finds the patient who has waited longest, whom a slot suits and who can be reached. */
async function findCandidate(services: Services, { practiceId, slot, zone, asked, settings }: CandidateOptions) {
  const entries = await findEntries(services.db, { practiceId, includeSamples: false })
  const freed = { ...slot, day: toLocalDate(slot.startsAt, zone) }
  const suitable = entries
    .filter((entry) => !asked.has(entry.patientId) && fits(entry, freed))
    .toSorted((one, other) => (one.waitingSince < other.waitingSince ? -1 : 1))
  for (const entry of suitable) {
    const channel = await findChannel(services, settings, entry.patientId)
    if (channel) return { entry, channel }
  }
  return null
}
