import type { FreeSlot } from '#contracts/appointments.ts'
import { addDays, getStartOfDay } from '#contracts/values/calendar.ts'
import { findFreeSlots, searchWindowDays } from '#modules/appointments/public.ts'
import { formatDay, formatPeriod, formatTime } from '../format.ts'
import { getScheduleHref, toBookingAction } from '../links.ts'
import {
  type AnswerContext,
  can,
  type ChatReply,
  chooseProviders,
  createReply,
  type IntentOf,
  joinLines,
  refuse,
  refuseUnknownProvider,
} from '../reply.ts'

/** Providers whose days are searched at most. */
const maxProviders = 20
/** Days that a question may cover at most. */
const maxSearchDays = 31
/** Slots that an answer lists at most. */
const maxSlots = 8

/** Finds the free slots of some providers (null: of all who see patients) from an instant on, in order. */
async function findSlots(
  { db, scope, zone, now, providers }: AnswerContext,
  { time, durationMinutes }: IntentOf<'free-slots'>,
  providerIds: readonly string[] | null,
  { from, days }: { from: string; days: number },
): Promise<FreeSlot[]> {
  const chosen = providers.filter(({ id, active }) => active && (providerIds === null || providerIds.includes(id)))
  const search = { zone, duration: durationMinutes, from, days, now: now.toISOString() }
  const found = await Promise.all(
    chosen.slice(0, maxProviders).map(({ id }) => findFreeSlots(db, scope, { ...search, providerId: id })),
  )
  return found
    .flat()
    .filter(
      ({ localTime }) =>
        (time.from === null || localTime >= time.from) && (time.until === null || localTime < time.until),
    )
    .toSorted((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0))
}

const countDays = (from: string, until: string): number => (Date.parse(until) - Date.parse(from)) / 86_400_000 + 1

/** Lists the slots that are free on some days, or soon; without one there, names the next free slots after them. */
export async function answerFreeSlots(context: AnswerContext, intent: IntentOf<'free-slots'>): Promise<ChatReply> {
  const { today, now, zone, providers } = context
  const { provider, durationMinutes } = intent
  if (!can(context, 'scheduling')) return refuse('the schedule')
  if (provider.kind === 'unknown') return refuseUnknownProvider(context, provider)
  if (intent.period && intent.period.until < today)
    return createReply('That is in the past: nothing can be booked there.')
  const providerIds = chooseProviders(context, provider)
  const first = intent.period && intent.period.from > today ? intent.period.from : today
  const from = first === today ? now.toISOString() : getStartOfDay(first, zone)
  const days = intent.period ? Math.min(maxSearchDays, countDays(first, intent.period.until)) : searchWindowDays
  const slots = await findSlots(context, intent, providerIds, { from, days })
  const when = intent.period ? formatPeriod(intent.period, today) : `the next ${days} days`
  const later =
    slots.length === 0 && intent.period
      ? await findSlots(context, intent, providerIds, {
          from: getStartOfDay(addDays(first, days), zone),
          days: searchWindowDays,
        })
      : []
  const shown = (slots.length > 0 ? slots : later).slice(0, maxSlots)
  const [earliest] = shown
  const hasSeveral = providers.filter(({ active }) => active).length > 1
  const format = ({ localDate, localTime, providerId }: FreeSlot) => {
    const name = hasSeveral ? providers.find(({ id }) => id === providerId)?.name : undefined
    return `${formatDay(localDate, today)}, ${formatTime(localTime)}${name ? ` with ${name}` : ''}`
  }
  const isNamedDay = /^(?:today|tomorrow)/.test(when)
  const place = isNamedDay
    ? when
    : intent.period && intent.period.from === intent.period.until
      ? `on ${when}`
      : `in ${when}`
  const head =
    slots.length > 0
      ? `There ${slots.length === 1 ? 'is 1 free slot' : `are ${slots.length} free slots`} of ${durationMinutes} minutes ${place}:`
      : `No slot of ${durationMinutes} minutes is free ${place}.${later.length > 0 ? ' The next ones are:' : ''}`
  const date = earliest?.localDate ?? first
  return createReply(joinLines(head, shown.map(format), slots.length > 0 ? slots.length : shown.length), {
    sources: [
      {
        kind: 'schedule',
        id: date,
        label: `Schedule, ${formatDay(date, today)}`,
        href: getScheduleHref(date, providerIds),
      },
    ],
    actions: earliest
      ? [
          {
            ...toBookingAction({ date, time: earliest.localTime, providerId: earliest.providerId }),
            label: `Schedule ${formatTime(earliest.localTime)}`,
          },
        ]
      : [],
    permissions: ['scheduling'],
  })
}
