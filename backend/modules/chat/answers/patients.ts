import type { Appointment } from '#contracts/appointments.ts'
import type { ChatAction } from '#contracts/assistant.ts'
import type { PatientId } from '#contracts/values/ids.ts'
import { findPatientAppointments } from '#modules/appointments/public.ts'
import { findPatientCards, type PatientCard, searchPatients } from '#modules/patients/public.ts'
import { formatDay, formatFullDate, formatName, formatTime, statusLabels, typeLabels } from '../format.ts'
import { getAppointmentHref, getPatientHref, getPatientSearchHref, toBookingAction, toPatientSource } from '../links.ts'
import { type AnswerContext, can, type ChatReply, createReply, type IntentOf, joinLines, refuse } from '../reply.ts'

/** Patients that an answer lists at most: with more, the question is not precise enough. */
const maxPatients = 6

/** Appointments of a patient that are read to find the last ones of a kind. */
const maxAppointments = 20

/** Finds the patients that a name, phone number, birth date or e-mail address may mean; one alone when it names them exactly. */
export async function findPeople({ db, scope }: AnswerContext, search: string): Promise<PatientCard[]> {
  const ids = await searchPatients(db, scope, search.slice(0, 200), maxPatients)
  const cards = await findPatientCards(db, scope, ids)
  const name = toKey(search)
  const exact = cards.filter((card) => toKey(formatName(card)) === name)
  return exact.length > 0 ? exact : cards
}

const toKey = (name: string): string => name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim()

/** Returns the part of an answer about some patients: their links and ids, and the permission to read them. */
export const aboutPatients = (cards: readonly PatientCard[]) => ({
  sources: cards.map((card) => toPatientSource({ id: card.id, name: formatName(card) })),
  permissions: ['patients:read' as const],
  patientIds: cards.map(({ id }): string => id),
})

const formatCard = (card: PatientCard): string =>
  [
    formatName(card),
    ...(card.dateOfBirth ? [`born ${formatFullDate(card.dateOfBirth)}`] : []),
    ...(card.phone ? [`phone ${card.phone}`] : []),
  ].join(', ')

/** Returns the answer when a name means no patient, or several. */
export function answerAmbiguous(search: string, cards: readonly PatientCard[]): ChatReply {
  const actions: ChatAction[] = [{ label: 'Search patients', href: getPatientSearchHref(search) }]
  if (cards.length === 0)
    return createReply(`I found no patient for "${search}" in this practice.`, {
      actions,
      permissions: ['patients:read'],
    })
  return createReply(joinLines(`Several patients match "${search}". Which one do you mean?`, cards.map(formatCard)), {
    ...aboutPatients(cards),
    actions,
  })
}

/** Describes a patient; null when only a guess led here and there is no such patient. */
export async function answerFindPatient(
  context: AnswerContext,
  { search, isGuess }: IntentOf<'find-patient'>,
): Promise<ChatReply | null> {
  if (!can(context, 'patients:read')) return isGuess ? null : refuse('patients')
  const cards = await findPeople(context, search)
  const [card] = cards
  if (!card) return isGuess ? null : answerAmbiguous(search, cards)
  if (cards.length > 1) return answerAmbiguous(search, cards)
  return createReply(`${formatCard(card)}. The record has everything else.`, {
    ...aboutPatients(cards),
    actions: [
      { label: 'Open the record', href: getPatientHref(card.id) },
      ...(can(context, 'scheduling') ? [toBookingAction()] : []),
    ],
  })
}

/** Loads the appointments of a patient: the next ones, or the past ones, newest first. */
export async function loadPatientAppointments(
  context: AnswerContext,
  patientId: PatientId,
  period: 'upcoming' | 'past',
): Promise<Appointment[]> {
  const { scope, zone, now } = context
  const request = { scope, patientId, period, now, limit: maxAppointments, offset: 0 }
  return (await findPatientAppointments(context, zone, request)).appointments
}

/** Lists when a patient comes next, came last, or failed to come. */
export async function answerPatientAppointments(
  context: AnswerContext,
  { person, which }: IntentOf<'patient-appointments'>,
): Promise<ChatReply> {
  if (!can(context, 'patients:read')) return refuse('patients')
  if (!can(context, 'scheduling')) return refuse('the schedule')
  const cards = await findPeople(context, person)
  const [card] = cards
  if (!card || cards.length > 1) return answerAmbiguous(person, cards)
  const { today, providers } = context
  const name = formatName(card)
  const all = await loadPatientAppointments(context, card.id, which === 'next' ? 'upcoming' : 'past')
  const found =
    which === 'next'
      ? all
      : all.filter(({ status }) => (which === 'missed' ? status === 'no-show' : status === 'completed')).slice(0, 5)
  const format = ({ localDate, localTime, type, status, providerId }: Appointment) => {
    const provider = providers.find(({ id }) => id === providerId)?.name
    const details = [
      typeLabels[type],
      ...(which === 'next' ? [statusLabels[status]] : []),
      ...(provider ? [`with ${provider}`] : []),
    ]
    return `${formatDay(localDate, today)}, ${formatTime(localTime)}, ${details.join(', ')}`
  }
  const about = aboutPatients(cards)
  const [first] = found
  const base = {
    ...about,
    permissions: [...about.permissions, 'scheduling' as const],
    sources: [
      ...(first
        ? [
            {
              kind: 'appointment' as const,
              id: first.id,
              label: `Appointment, ${formatDay(first.localDate, today)}`,
              href: getAppointmentHref(first.localDate, first.id),
            },
          ]
        : []),
      ...about.sources,
    ],
    actions: which === 'next' ? [toBookingAction()] : [],
  }
  if (!first) return createReply(describeNone(name, which), base)
  const head = {
    next: `${name} comes next on ${format(first)}.`,
    last: `${name} was last here on ${format(first)}.`,
    missed: `${name} missed ${found.length === 1 ? 'one appointment' : `${found.length} appointments`}, the last one on ${format(first)}.`,
  }[which]
  const others = which === 'next' ? found.slice(1, 4) : []
  return createReply(joinLines(others.length > 0 ? `${head} After that:` : head, others.map(format)), base)
}

const describeNone = (name: string, which: 'next' | 'last' | 'missed'): string =>
  ({
    next: `${name} has no upcoming appointment.`,
    last: `${name} has no completed appointment yet.`,
    missed: `${name} has not missed an appointment.`,
  })[which]
