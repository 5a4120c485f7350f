import type { Appointment } from '#contracts/appointments.ts'
import type { ChatSource } from '#contracts/assistant.ts'
import { maxRangeDays } from '#contracts/values/appointments.ts'
import { addDays } from '#contracts/values/calendar.ts'
import { findAppointments } from '#modules/appointments/public.ts'
import { dayBounds } from '#modules/kit/local-time.ts'
import {
  capitalize,
  formatCount,
  formatDay,
  formatName,
  formatNearDay,
  formatPeriod,
  formatTime,
  statusLabels,
  typeLabels,
} from '../format.ts'
import type { ScheduleFilter } from '../intent.ts'
import { getAppointmentHref, getScheduleHref, toBookingAction } from '../links.ts'
import type { Period } from '../parse-period.ts'
import {
  type AnswerContext,
  can,
  type ChatReply,
  chooseProviders,
  createReply,
  type IntentOf,
  joinLines,
  maxListed,
  refuse,
  refuseUnknownProvider,
} from '../reply.ts'

/** Days in which the next appointment is looked for. */
const maxDaysAhead = 14

/** Loads the appointments that start in a period, in order, of some providers or (null) of all. */
async function loadAppointments(
  context: AnswerContext,
  { from, until }: Period,
  providerIds: readonly string[] | null,
): Promise<Appointment[]> {
  const { caller, zone } = context
  const start = dayBounds(from, zone).from
  // Excludes an appointment that starts at the first instant of the next day.
  const end = new Date(Date.parse(dayBounds(until, zone).until) - 1).toISOString()
  const appointments = await findAppointments(context, caller, zone, { from: start, until: end })
  return appointments.filter(
    ({ localDate, providerId }) => localDate >= from && (providerIds === null || providerIds.includes(providerId)),
  )
}

const tests: Record<ScheduleFilter, (appointment: Appointment) => boolean> = {
  all: () => true,
  unconfirmed: ({ status }) => status === 'scheduled',
  confirmed: ({ status }) => status === 'confirmed',
  waiting: ({ status }) => status === 'waiting',
  completed: ({ status }) => status === 'completed',
  cancelled: ({ status }) => status === 'cancelled',
  'no-show': ({ status }) => status === 'no-show',
  emergency: ({ type, status }) => type === 'emergency' && status !== 'cancelled',
}

const filterWords: Record<Exclude<ScheduleFilter, 'all'>, string> = {
  unconfirmed: 'not confirmed',
  confirmed: 'confirmed',
  waiting: 'waiting',
  completed: 'completed',
  cancelled: 'cancelled',
  'no-show': 'missed without notice',
  emergency: 'emergencies',
}

/** Formats one appointment of a list; with its date in a list of several days, and its provider where there are several. */
function formatAppointment({ providers, today }: AnswerContext, appointment: Appointment, hasDate: boolean): string {
  const { localDate, localTime, patient, type, status, providerId } = appointment
  const provider = providers.length > 1 ? providers.find(({ id }) => id === providerId)?.name : undefined
  return [
    `${hasDate ? `${formatDay(localDate, today)}, ` : ''}${formatTime(localTime)} ${formatName(patient)}`,
    typeLabels[type],
    statusLabels[status],
    ...(provider ? [`with ${provider}`] : []),
  ].join(', ')
}

const toScheduleSource = (
  { today }: AnswerContext,
  { from, until }: Period,
  providerIds: readonly string[] | null,
): ChatSource => ({
  kind: 'schedule',
  id: from,
  label: `Appointments, ${from === until ? formatDay(from, today) : formatPeriod({ from, until }, today)}`,
  href: getScheduleHref(from, providerIds),
})

/** Replies to a question about the appointments of a day or a period. */
export async function answerSchedule(context: AnswerContext, intent: IntentOf<'schedule'>): Promise<ChatReply> {
  const { today } = context
  const { provider, filter } = intent
  if (!can(context, 'scheduling')) return refuse('the schedule')
  if (provider.kind === 'unknown') return refuseUnknownProvider(context, provider)
  const limit = addDays(intent.period.from, maxRangeDays - 1)
  const period = { from: intent.period.from, until: intent.period.until < limit ? intent.period.until : limit }
  const providerIds = chooseProviders(context, provider)
  const appointments = await loadAppointments(context, period, providerIds)
  const isOneDay = period.from === period.until
  const source = toScheduleSource(context, period, providerIds)
  const actions = period.until >= today ? [toBookingAction({ date: period.from < today ? today : period.from })] : []
  const base = { sources: [source], actions, permissions: ['scheduling' as const] }
  const when = formatPeriod(period, today)
  const names = context.providers.filter(({ id }) => providerIds?.includes(id)).map(({ name }) => name)
  const whose = names.length > 0 ? ` for ${names.join(' and ')}` : ''
  if (filter === 'all' && !isOneDay) {
    const open = appointments.filter(({ status }) => status !== 'cancelled')
    const days = [...new Set(open.map(({ localDate }) => localDate))]
    const lines = days.map((date) => {
      const count = open.filter(({ localDate }) => localDate === date).length
      return `${formatDay(date, today)}: ${formatCount(count, 'appointment')}`
    })
    return createReply(
      joinLines(`${capitalize(when)}: ${formatCount(open.length, 'appointment')}${whose}.`, lines),
      base,
    )
  }
  const matching = appointments.filter(tests[filter])
  const open = matching.filter(({ status }) => status !== 'cancelled')
  const unconfirmed = open.filter(tests.unconfirmed).length
  const head =
    filter === 'all'
      ? open.length === 0
        ? `There are no appointments${whose} ${formatOn(when)}.`
        : `${capitalize(when)}: ${formatCount(open.length, 'appointment')}${whose}${unconfirmed > 0 ? `, ${unconfirmed} not confirmed` : ''}.`
      : describeFilter(filter, matching.length, `${whose} ${formatOn(when)}`)
  const listed = filter === 'all' ? open : matching
  return createReply(
    joinLines(
      head,
      listed.map((appointment) => formatAppointment(context, appointment, !isOneDay)),
    ),
    { ...base, patientIds: listPatients(listed) },
  )
}

const formatOn = (when: string): string => (/^(?:today|tomorrow|yesterday)/.test(when) ? when : `on ${when}`)

function describeFilter(filter: Exclude<ScheduleFilter, 'all'>, count: number, where: string): string {
  if (filter === 'emergency') return `${formatCount(count, 'emergency', 'emergencies')}${where}.`
  if (count === 0) return `No appointments are ${filterWords[filter]}${where}.`
  return `${formatCount(count, 'appointment')} ${count === 1 ? 'is' : 'are'} ${filterWords[filter]}${where}.`
}

const listPatients = (appointments: readonly Appointment[]): string[] => [
  ...new Set(appointments.slice(0, maxListed).map(({ patientId }) => patientId)),
]

/** Names the next patient: a waiting one first, then the next appointment, today or on a later day. */
export async function answerNextPatient(context: AnswerContext, intent: IntentOf<'next-patient'>): Promise<ChatReply> {
  const { today, now } = context
  const { provider } = intent
  if (!can(context, 'scheduling')) return refuse('the schedule')
  if (provider.kind === 'unknown') return refuseUnknownProvider(context, provider)
  const providerIds = chooseProviders(context, provider)
  const todays = await loadAppointments(context, { from: today, until: today }, providerIds)
  const isAhead = ({ status, appointmentDate }: Appointment) =>
    ['scheduled', 'confirmed'].includes(status) && appointmentDate >= now.toISOString()
  const inProgress = todays.filter(({ status }) => status === 'in-progress')
  const next = todays.find(({ status }) => status === 'waiting') ?? todays.find(isAhead)
  const later = next
    ? undefined
    : (
        await loadAppointments(context, { from: addDays(today, 1), until: addDays(today, maxDaysAhead) }, providerIds)
      ).find(isAhead)
  const found = next ?? later
  const source = toScheduleSource(
    context,
    { from: found?.localDate ?? today, until: found?.localDate ?? today },
    providerIds,
  )
  const base = { sources: [source], permissions: ['scheduling' as const] }
  if (!found) return createReply(`No appointments are booked for the next ${maxDaysAhead} days.`, base)
  const line = formatAppointment(context, found, false)
  const text = next
    ? `Next today: ${line}.`
    : `There are no more appointments today. Next ${formatOn(formatNearDay(found.localDate, today))}: ${line}.`
  const current = inProgress.map((appointment) => `In progress: ${formatAppointment(context, appointment, false)}.`)
  return createReply([text, ...current].join('\n'), {
    ...base,
    sources: [
      source,
      {
        kind: 'appointment',
        id: found.id,
        label: `Appointment of ${formatName(found.patient)}`,
        href: getAppointmentHref(found.localDate, found.id),
      },
    ],
    patientIds: listPatients([found, ...inProgress]),
  })
}
