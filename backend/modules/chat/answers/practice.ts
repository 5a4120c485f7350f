import type { ChatSource } from '#contracts/assistant.ts'
import { addDays } from '#contracts/values/calendar.ts'
import {
  type DayHours,
  findDayOff,
  findHoliday,
  getDayHours,
  listPeriods,
  Weekday,
} from '#contracts/values/working-hours.ts'
import { findProviders } from '#modules/providers/public.ts'
import { findWorkCalendar } from '#modules/working-hours/public.ts'
import { capitalize, formatDay, formatNearDay, formatTime } from '../format.ts'
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

/** Days of a period that an answer describes one by one. */
const maxDays = 14

const toSource = (context: AnswerContext, kind: 'providers' | 'working-hours', label: string): ChatSource => ({
  kind,
  id: kind,
  label,
  href: can(context, 'settings') ? '/practice' : '/appointments?provider=all',
})

/** Lists the providers who see patients. */
export async function answerProviders(context: AnswerContext): Promise<ChatReply> {
  if (!can(context, 'scheduling')) return refuse('the providers')
  const active = (await findProviders(context.db, context.scope.practiceId)).filter((provider) => provider.active)
  const lines = active.map(({ name, title }) => (title ? `${name}, ${title}` : name))
  const head = active.length === 0 ? 'The practice has no providers yet.' : 'These providers see patients:'
  return createReply(joinLines(head, lines), {
    sources: [toSource(context, 'providers', 'Providers')],
    permissions: ['scheduling'],
  })
}

const formatHours = (hours: DayHours | null): string =>
  hours === null
    ? 'closed'
    : listPeriods(hours)
        .map(({ from, until }) => `${formatTime(from)} to ${formatTime(until)}`)
        .join(' and ')

/** Describes when the practice is open and who is away: on some days, or in the week. */
export async function answerWorkingHours(
  context: AnswerContext,
  intent: IntentOf<'working-hours'>,
): Promise<ChatReply> {
  const { db, scope, today, providers } = context
  const { period, provider } = intent
  if (!can(context, 'scheduling')) return refuse('the working hours')
  if (provider.kind === 'unknown') return refuseUnknownProvider(context, provider)
  const asksAboutProvider = provider.kind !== 'all'
  const from = period?.from ?? today
  const last = addDays(from, maxDays - 1)
  const until = period ? (period.until < last ? period.until : last) : asksAboutProvider ? last : addDays(today, 60)
  const calendar = await findWorkCalendar(db, scope.practiceId, { from, until })
  const base = {
    sources: [toSource(context, 'working-hours', 'Working hours')],
    permissions: ['scheduling' as const],
  }
  const unset = calendar.week === null ? ' The practice has not set working hours; these are the usual ones.' : ''
  if (!period && !asksAboutProvider) {
    const week = Weekday.options.map((day, index) => {
      // The date of any week, because hours depend on the weekday alone: January 1, 2024 was a Monday.
      const hours = getDayHours(calendar.week, addDays('2024-01-01', index))
      return `${capitalize(day)}: ${formatHours(hours)}`
    })
    const holidays = calendar.closures
      .filter(({ providerId }) => providerId === null)
      .map(({ name, from: date }) => `Closed on ${formatDay(date, today)}${name ? `: ${name}` : ''}`)
    return createReply(joinLines(`The practice is open:${unset}`, [...week, ...holidays]), base)
  }
  const chosen = chooseProviders(context, provider)
  const shown = providers.filter(({ id, active }) => active && (chosen === null || chosen.includes(id)))
  const dates = Array.from({ length: maxDays }, (_, index) => addDays(from, index)).filter((date) => date <= until)
  const describe = (date: string): string => {
    const holiday = findHoliday(calendar, date)
    if (holiday) return `closed${holiday.name ? `, ${holiday.name}` : ''}`
    const hours = getDayHours(calendar.week, date)
    if (hours === null) return 'closed'
    const away = shown.filter(({ id }) => findDayOff(calendar, id, date)).map(({ name }) => name)
    const working = shown.filter(({ id }) => !findDayOff(calendar, id, date)).map(({ name }) => name)
    return [
      formatHours(hours),
      ...(working.length > 0 ? [`working: ${working.join(', ')}`] : []),
      ...(away.length > 0 ? [`away: ${away.join(', ')}`] : []),
    ].join('; ')
  }
  const [only] = dates
  if (dates.length === 1 && only)
    return createReply(`${capitalize(formatNearDay(only, today))}: ${describe(only)}.${unset}`, base)
  return createReply(
    joinLines(
      `These are the working hours:${unset}`,
      dates.map((date) => `${formatDay(date, today)}: ${describe(date)}`),
    ),
    base,
  )
}
