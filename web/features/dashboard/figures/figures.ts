import { formatCents } from '#web/entities/billing/prices.ts'
import { formatCount, formatNumber, notEnoughData } from '#web/ui/format.ts'
import type { AppointmentCountFilter, DashboardStats } from '#contracts/dashboard.ts'
import type { AiInsight } from '#contracts/insights.ts'
import type { Loadable } from '../panels/loadable.ts'
import { insightsUnavailable, priorityLabels } from '#web/entities/insights/labels.ts'
import { sampleHistories, sampleStats, sampleTrendTexts } from '#contracts/sample-practice.ts'

/** The four figures of the spec; `newPatients` takes the place of the revenue for users who may not see it. */
export type FigureKey = SampleFigureKey | 'newPatients'
type SampleFigureKey = 'todaysAppointments' | 'totalPatients' | 'aiInsights' | 'revenue'

/** Appointments that a figure counts: the filter that selects them, and an explanation. */
export type FigureAppointments = {
  title: string
  /** The sum, as the figure says it: if there are too many appointments, not all of them are listed. */
  total: string
  description: string
  from: string
  to: string
  by: 'start' | 'completion'
  counted: AppointmentCountFilter
}

/** Explanation of a figure that does not count appointments, with its records. */
export type FigureExplanation = {
  title: string
  value: string
  description: string
  records: readonly { when: string; what: string }[]
  /** Shown when there are no records. */
  emptyState: { title: string; hint: string }
}

/** Figure of the dashboard with its trend. */
export type Figure = {
  key: FigureKey
  label: string
  value: string
  trend: string
  /** Direction of the trend; `none` when the trend text is only a remark. */
  direction: 'up' | 'down' | 'none'
  history: readonly number[]
  /** Opens the records behind the figure: a list, an explanation, or a screen. */
  drillDown?:
    | { label: string; appointments: FigureAppointments }
    | { label: string; explained: FigureExplanation }
    | { label: string; to: '/patients' }
}

const figureLabels: Record<FigureKey, string> = {
  todaysAppointments: "Today's Appointments",
  totalPatients: 'Total Patients',
  aiInsights: 'AI Insights',
  revenue: 'Revenue',
  newPatients: 'New Patients',
}

/** Formats cents as "$48,920", with decimals only where they are not zero. */
export const formatMoney = (cents: number): string => formatCents(cents).replace(/\.00$/, '')

/** Formats a relative change, "+12% from yesterday"; without a previous value there is not enough data. */
export function formatChange(current: number, previous: number, suffix: string): Pick<Figure, 'trend' | 'direction'> {
  if (previous === 0) return { trend: notEnoughData, direction: 'none' }
  const change = Math.round(((current - previous) / previous) * 100)
  if (change === 0) return { trend: `0% ${suffix}`, direction: 'none' }
  return change > 0
    ? { trend: `+${change}% ${suffix}`, direction: 'up' }
    : { trend: `${change}% ${suffix}`, direction: 'down' }
}

/** Formats a button label: "Open the 12 appointments", "Open the appointment". */
export const formatOpenLabel = (count: number, singular: string, plural: string) =>
  count === 1 ? `Open the ${singular}` : `Open the ${formatNumber(count)} ${plural}`

/** Creates the figures of a demo user: actual counts with the fixed trends of the sample practice (product.md 1). */
export const createDemoFigures = (
  stats: Pick<DashboardStats, 'todaysAppointments' | 'totalPatients' | 'revenueCents'>,
): readonly Figure[] => {
  const values: Record<SampleFigureKey, string | null> = {
    todaysAppointments: formatNumber(stats.todaysAppointments),
    totalPatients: formatNumber(stats.totalPatients),
    aiInsights: formatNumber(sampleStats.aiInsights),
    revenue: stats.revenueCents === null ? null : formatMoney(stats.revenueCents),
  }
  return (Object.entries(values) as [SampleFigureKey, string | null][]).flatMap(([key, value]) =>
    value === null
      ? []
      : [
          {
            key,
            label: figureLabels[key],
            value,
            trend: sampleTrendTexts[key],
            direction: 'up',
            history: sampleHistories[key],
          },
        ],
  )
}

/** The AI insights as far as they are loaded; null for users whose role or plan does not include them. */
type InsightsState = Pick<Loadable<readonly Pick<AiInsight, 'priority' | 'title'>[]>, 'data' | 'error'> | null

/** Creates the figures of a subscriber, each with its change and a link to its records. */
export function createPracticeFigures(stats: DashboardStats, insights: InsightsState): readonly Figure[] {
  const { today, compared, histories } = stats
  const newThisWeek = compared.newPatientsThisWeek
  return [
    {
      key: 'todaysAppointments',
      label: figureLabels.todaysAppointments,
      value: formatNumber(stats.todaysAppointments),
      ...formatChange(stats.todaysAppointments, compared.yesterdaysAppointments, 'from yesterday'),
      history: histories.appointments,
      drillDown: {
        label: formatOpenLabel(stats.todaysAppointments, 'appointment', 'appointments'),
        appointments: {
          title: figureLabels.todaysAppointments,
          total: formatCount(stats.todaysAppointments, 'appointment'),
          description: 'Every appointment of today that is not cancelled.',
          from: today,
          to: today,
          by: 'start',
          counted: 'kept',
        },
      },
    },
    {
      key: 'totalPatients',
      label: figureLabels.totalPatients,
      value: formatNumber(stats.totalPatients),
      trend: `+${formatNumber(newThisWeek)} new this week`,
      direction: newThisWeek > 0 ? 'up' : 'none',
      history: histories.patients,
      drillDown: { label: formatOpenLabel(stats.totalPatients, 'patient', 'patients'), to: '/patients' },
    },
    {
      key: 'aiInsights',
      label: figureLabels.aiInsights,
      value: formatNumber(stats.aiInsights),
      trend: notEnoughData,
      direction: 'none',
      history: [],
      drillDown: {
        label: 'Open the AI insights',
        explained: {
          title: figureLabels.aiInsights,
          value: formatNumber(stats.aiInsights),
          description: 'Every insight made on your own patients and appointments is counted here.',
          records: (insights?.data ?? []).map(({ priority, title }) => ({
            when: priorityLabels[priority],
            what: title,
          })),
          emptyState: explainMissingInsights(stats.aiInsights, insights),
        },
      },
    },
    createMoneyFigure(stats) ?? {
      key: 'newPatients',
      label: figureLabels.newPatients,
      value: formatNumber(newThisWeek),
      trend: 'in the last seven days',
      direction: 'none',
      history: [],
      drillDown: { label: 'Open the patients', to: '/patients' },
    },
  ]
}

/** Returns why no insight is listed below a count. */
function explainMissingInsights(count: number, insights: InsightsState): FigureExplanation['emptyState'] {
  if (count === 0 || insights?.data)
    return { title: 'No AI insights available', hint: 'AI insights will appear as patient data is analyzed' }
  if (!insights)
    return {
      title: 'Only counted here',
      hint: 'To list AI insights, your role and the plan of the practice must include them.',
    }
  return insights.error ? insightsUnavailable : { title: 'Loading the AI insights', hint: 'They will appear here.' }
}

/** Creates the figure of the revenue; null for users who may not see it. */
function createMoneyFigure({ today, revenueCents, compared, histories }: DashboardStats): Figure | null {
  if (revenueCents === null || !compared.lastMonthsRevenue || !histories.revenue) return null
  return {
    key: 'revenue',
    label: figureLabels.revenue,
    value: formatMoney(revenueCents),
    ...formatChange(revenueCents, compared.lastMonthsRevenue.cents, 'vs last month'),
    history: histories.revenue,
    drillDown: {
      label: 'Open the completed appointments',
      appointments: {
        title: figureLabels.revenue,
        total: formatMoney(revenueCents),
        description: 'The fees of every appointment completed since the first of the month.',
        from: `${today.slice(0, 8)}01`,
        to: today,
        by: 'completion',
        counted: 'completed',
      },
    },
  }
}
