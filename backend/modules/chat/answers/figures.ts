import type { ChatSource } from '#contracts/assistant.ts'
import { addDays } from '#contracts/values/calendar.ts'
import { countByStatus } from '#modules/appointments/public.ts'
import { countAppointments, countRegistrations } from '#modules/analytics/public.ts'
import { findStats } from '#modules/dashboard/public.ts'
import { dayBounds } from '#modules/kit/local-time.ts'
import { capitalize, formatCount, formatMoney, formatPeriod } from '../format.ts'
import type { Figure } from '../intent.ts'
import { getScheduleHref } from '../links.ts'
import type { Period } from '../parse-period.ts'
import { type AnswerContext, can, type ChatReply, createReply, type IntentOf, refuse } from '../reply.ts'

/** Returns the period of a figure for which the question named none. */
function getUsualPeriod(figure: Figure, today: string): Period {
  if (figure === 'revenue') return { from: `${today.slice(0, 7)}-01`, until: today }
  return figure === 'new-patients' || figure === 'no-shows'
    ? { from: addDays(today, -6), until: today }
    : { from: today, until: today }
}

/** Replies to a question for a number, as the dashboard counts it. */
export async function answerFigure(
  context: AnswerContext,
  { figure, period: asked }: IntentOf<'figure'>,
): Promise<ChatReply> {
  const { db, scope, zone, today, now } = context
  const period = asked ?? getUsualPeriod(figure, today)
  const from = dayBounds(period.from, zone).from
  const { until } = dayBounds(period.until, zone)
  const when = capitalize(formatPeriod(period, today))
  const dashboard: ChatSource = { kind: 'figures', id: figure, label: 'Dashboard', href: '/dashboard' }
  const schedule: ChatSource = {
    kind: 'schedule',
    id: period.from,
    label: `Appointments, ${formatPeriod(period, today)}`,
    href: getScheduleHref(period.from),
  }
  switch (figure) {
    case 'patients': {
      const { totalPatients, compared } = await findStats(db, { scope, moment: { now, zone } })
      const added = `${compared.newPatientsThisWeek} of them new in the last seven days`
      return createReply(`The practice has ${formatCount(totalPatients, 'patient')}, ${added}.`, {
        sources: [dashboard, { kind: 'figures', id: 'patients', label: 'Patients', href: '/patients' }],
      })
    }
    case 'new-patients': {
      const [count = 0] = await countRegistrations(db, scope, [{ from, until }])
      return createReply(`${when}: ${formatCount(count, 'new patient')}.`, { sources: [dashboard] })
    }
    case 'revenue': {
      if (!can(context, 'billing')) return refuse('revenue')
      const [counts] = await countAppointments(db, scope, [{ from, until }], now)
      const cents = counts?.revenueCents ?? 0
      return createReply(`${when}: ${formatMoney(cents)} in fees of completed appointments.`, {
        sources: [dashboard],
        permissions: ['billing'],
      })
    }
    default:
      return await answerCount(context, figure, { from, until, when, source: schedule })
  }
}

type Counted = Exclude<Figure, 'patients' | 'new-patients' | 'revenue'>

async function answerCount(
  context: AnswerContext,
  figure: Counted,
  { from, until, when, source }: { from: string; until: string; when: string; source: ChatSource },
): Promise<ChatReply> {
  if (!can(context, 'scheduling')) return refuse('the schedule')
  const counts = await countByStatus(context.db, context.scope, from, until)
  const count = (status: Parameters<typeof counts.get>[0]) => counts.get(status) ?? 0
  const total = [...counts].reduce((sum, [status, number]) => sum + (status === 'cancelled' ? 0 : number), 0)
  const text = {
    appointments: `${formatCount(total, 'appointment')}, ${count('completed')} completed and ${count('scheduled')} not confirmed`,
    completed: `${formatCount(count('completed'), 'completed appointment')} of ${total}`,
    cancelled: formatCount(count('cancelled'), 'cancelled appointment'),
    'no-shows': formatCount(count('no-show'), 'no-show'),
  }[figure]
  return createReply(`${when}: ${text}.`, { sources: [source], permissions: ['scheduling'] })
}
