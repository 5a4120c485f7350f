import type { AppointmentCountFilter, DashboardStats } from '#contracts/dashboard.ts'
import { sampleHistories, sampleStats, sampleTrendTexts } from '#contracts/sample-practice.ts'

export type FigureKey = 'todaysAppointments' | 'totalPatients' | 'aiInsights' | 'revenue'

/** The appointments a figure counts: what is asked for when it is opened, and how it comes about in plain words. */
export type FigureAppointments = {
  title: string
  description: string
  from: string
  to: string
  by: 'start' | 'completion'
  counted: AppointmentCountFilter
}

/** A number that no appointments stand behind: what it counts in plain words, and the records there are of it. */
export type FigureExplanation = {
  title: string
  value: string
  description: string
  records: readonly { when: string; what: string }[]
  /** What is said when there are none. */
  emptyState: { title: string; hint: string }
}

/** One number of the dashboard: what it is, how much, and how it moves. */
export type Figure = {
  key: FigureKey
  label: string
  value: string
  trend: string
  /** Whether the trend rises, falls, or is a remark. */
  direction: 'up' | 'down' | 'none'
  history: readonly number[]
  /** What opens the records behind it: their list, or the screen that lists them. */
  drillDown?:
    | { label: string; appointments: FigureAppointments }
    | { label: string; explained: FigureExplanation }
    | { label: string; to: '/patients' }
}

export const notEnoughData = 'Not enough data yet'

const figureLabels: Record<FigureKey, string> = {
  todaysAppointments: "Today's Appointments",
  totalPatients: 'Total Patients',
  aiInsights: 'AI Insights',
  revenue: 'Revenue',
}

/** 1248 as "1,248". */
export const formatCount = (count: number): string => count.toLocaleString('en-US')

/** Cents as "$48,920"; cents are shown where there are any. */
export const formatMoney = (cents: number): string =>
  (cents / 100).toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: cents % 100 === 0 ? 0 : 2,
  })

/** "+12% from yesterday"; without anything to compare with it cannot be said. */
export function formatChange(now: number, before: number, words: string): Pick<Figure, 'trend' | 'direction'> {
  if (before === 0) return { trend: notEnoughData, direction: 'none' }
  const change = Math.round(((now - before) / before) * 100)
  if (change === 0) return { trend: `0% ${words}`, direction: 'none' }
  return change > 0
    ? { trend: `+${change}% ${words}`, direction: 'up' }
    : { trend: `${change}% ${words}`, direction: 'down' }
}

/** "Open the 12 appointments", "Open the appointment". */
export const formatOpenLabel = (count: number, one: string, many: string) =>
  count === 1 ? `Open the ${one}` : `Open the ${formatCount(count)} ${many}`

/** The figures of the practice of a demo user: their own counts, and the fixed trends of the sample practice (product.md 1). */
export const createDemoFigures = (
  stats: Pick<DashboardStats, 'todaysAppointments' | 'totalPatients' | 'revenue'>,
): readonly Figure[] => {
  const values: Record<FigureKey, string> = {
    todaysAppointments: formatCount(stats.todaysAppointments),
    totalPatients: formatCount(stats.totalPatients),
    aiInsights: formatCount(sampleStats.aiInsights),
    revenue: formatMoney(stats.revenue.cents),
  }
  return (Object.keys(values) as FigureKey[]).map((key) => ({
    key,
    label: figureLabels[key],
    value: values[key],
    trend: sampleTrendTexts[key],
    direction: 'up',
    history: sampleHistories[key],
  }))
}

/** The figures of a subscriber: computed, compared with real periods, each with the way to its records. */
export function createPracticeFigures(stats: DashboardStats): readonly Figure[] {
  const { today, compared, histories } = stats
  const newThisWeek = compared.newPatientsThisWeek
  const month = `${today.slice(0, 8)}01`
  return [
    {
      key: 'todaysAppointments',
      label: figureLabels.todaysAppointments,
      value: formatCount(stats.todaysAppointments),
      ...formatChange(stats.todaysAppointments, compared.yesterdaysAppointments, 'from yesterday'),
      history: histories.appointments,
      drillDown: {
        label: formatOpenLabel(stats.todaysAppointments, 'appointment', 'appointments'),
        appointments: {
          title: figureLabels.todaysAppointments,
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
      value: formatCount(stats.totalPatients),
      trend: `+${formatCount(newThisWeek)} new this week`,
      direction: newThisWeek > 0 ? 'up' : 'none',
      history: histories.patients,
      drillDown: { label: formatOpenLabel(stats.totalPatients, 'patient', 'patients'), to: '/patients' },
    },
    {
      key: 'aiInsights',
      label: figureLabels.aiInsights,
      value: formatCount(stats.aiInsights),
      trend: notEnoughData,
      direction: 'none',
      history: [],
      drillDown: {
        label: 'Open the AI insights',
        explained: {
          title: figureLabels.aiInsights,
          value: formatCount(stats.aiInsights),
          description: 'Every insight made on your own patients and appointments is counted here.',
          records: [],
          emptyState: {
            title: 'No AI insights available',
            hint: 'AI insights will appear as patient data is analyzed',
          },
        },
      },
    },
    {
      key: 'revenue',
      label: figureLabels.revenue,
      value: formatMoney(stats.revenue.cents),
      ...formatChange(stats.revenue.cents, compared.lastMonthsRevenue.cents, 'vs last month'),
      history: histories.revenue,
      drillDown: {
        label: 'Open the completed appointments',
        appointments: {
          title: figureLabels.revenue,
          description: 'The fees of every appointment completed since the first of the month.',
          from: month,
          to: today,
          by: 'completion',
          counted: 'completed',
        },
      },
    },
  ]
}
