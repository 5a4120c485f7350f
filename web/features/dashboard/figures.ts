import type { AppointmentCountFilter, DashboardStats } from '#contracts/dashboard.ts'
import { sampleHistories, sampleStats, sampleTrendTexts } from '#contracts/sample-practice.ts'

export type FigureKey = 'todaysAppointments' | 'totalPatients' | 'aiInsights' | 'revenue'

/** The visits a figure counts: what is asked for when it is opened, and how it comes about in plain words. */
export type Behind = {
  title: string
  about: string
  from: string
  to: string
  by: 'start' | 'completion'
  counted: AppointmentCountFilter
}

/** A number that no visits stand behind: what it counts in plain words, and the records there are of it. */
export type Explained = {
  title: string
  value: string
  about: string
  records: readonly { when: string; what: string }[]
  /** What is said when there are none. */
  none: { title: string; hint: string }
}

/** One number of the dashboard: what it is, how much, and how it moves. */
export type Figure = {
  key: FigureKey
  label: string
  value: string
  trend: string
  /** Whether the trend rises, falls, or is a remark. */
  moves: 'up' | 'down' | 'none'
  history: readonly number[]
  /** What opens the records behind it: their list, or the screen that lists them. */
  behind?:
    | { label: string; visits: Behind }
    | { label: string; explained: Explained }
    | { label: string; to: '/patients' }
}

export const notEnough = 'Not enough data yet'

const labels: Record<FigureKey, string> = {
  todaysAppointments: "Today's Appointments",
  totalPatients: 'Total Patients',
  aiInsights: 'AI Insights',
  revenue: 'Revenue',
}

/** 1248 as "1,248". */
export const showCount = (count: number): string => count.toLocaleString('en-US')

/** Cents as "$48,920"; cents are shown where there are any. */
export const showMoney = (cents: number): string =>
  (cents / 100).toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: cents % 100 === 0 ? 0 : 2,
  })

/** "+12% from yesterday"; without anything to compare with it cannot be said. */
export function showChange(now: number, before: number, words: string): Pick<Figure, 'trend' | 'moves'> {
  if (before === 0) return { trend: notEnough, moves: 'none' }
  const change = Math.round(((now - before) / before) * 100)
  if (change === 0) return { trend: `0% ${words}`, moves: 'none' }
  return change > 0 ? { trend: `+${change}% ${words}`, moves: 'up' } : { trend: `${change}% ${words}`, moves: 'down' }
}

/** "Open the 12 appointments", "Open the appointment". */
export const openWords = (count: number, one: string, many: string) =>
  count === 1 ? `Open the ${one}` : `Open the ${showCount(count)} ${many}`

/** The figures of the practice of a demo user: their own counts, and the fixed trends of the sample practice (product.md 1). */
export const demoFigures = (
  stats: Pick<DashboardStats, 'todaysAppointments' | 'totalPatients' | 'revenue'>,
): readonly Figure[] => {
  const values: Record<FigureKey, string> = {
    todaysAppointments: showCount(stats.todaysAppointments),
    totalPatients: showCount(stats.totalPatients),
    aiInsights: showCount(sampleStats.aiInsights),
    revenue: showMoney(stats.revenue.cents),
  }
  return (Object.keys(values) as FigureKey[]).map((key) => ({
    key,
    label: labels[key],
    value: values[key],
    trend: sampleTrendTexts[key],
    moves: 'up',
    history: sampleHistories[key],
  }))
}

/** The figures of a subscriber: computed, compared with real periods, each with the way to its records. */
export function trueFigures(stats: DashboardStats): readonly Figure[] {
  const { today, compared, histories } = stats
  const newThisWeek = compared.newPatientsThisWeek
  const month = `${today.slice(0, 8)}01`
  return [
    {
      key: 'todaysAppointments',
      label: labels.todaysAppointments,
      value: showCount(stats.todaysAppointments),
      ...showChange(stats.todaysAppointments, compared.yesterdaysAppointments, 'from yesterday'),
      history: histories.appointments,
      behind: {
        label: openWords(stats.todaysAppointments, 'appointment', 'appointments'),
        visits: {
          title: labels.todaysAppointments,
          about: 'Every visit of today that is not cancelled.',
          from: today,
          to: today,
          by: 'start',
          counted: 'kept',
        },
      },
    },
    {
      key: 'totalPatients',
      label: labels.totalPatients,
      value: showCount(stats.totalPatients),
      trend: `+${showCount(newThisWeek)} new this week`,
      moves: newThisWeek > 0 ? 'up' : 'none',
      history: histories.patients,
      behind: { label: openWords(stats.totalPatients, 'patient', 'patients'), to: '/patients' },
    },
    {
      key: 'aiInsights',
      label: labels.aiInsights,
      value: showCount(stats.aiInsights),
      trend: notEnough,
      moves: 'none',
      history: [],
      behind: {
        label: 'Open the AI insights',
        explained: {
          title: labels.aiInsights,
          value: showCount(stats.aiInsights),
          about: 'Every insight made on your own patients and appointments is counted here.',
          records: [],
          none: {
            title: 'No AI insights available',
            hint: 'AI insights will appear as patient data is analyzed',
          },
        },
      },
    },
    {
      key: 'revenue',
      label: labels.revenue,
      value: showMoney(stats.revenue.cents),
      ...showChange(stats.revenue.cents, compared.lastMonthsRevenue.cents, 'vs last month'),
      history: histories.revenue,
      behind: {
        label: 'Open the completed visits',
        visits: {
          title: labels.revenue,
          about: 'The fees of every visit completed since the first of the month.',
          from: month,
          to: today,
          by: 'completion',
          counted: 'completed',
        },
      },
    },
  ]
}
