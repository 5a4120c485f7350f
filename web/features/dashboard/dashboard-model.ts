import type { TrendPeriod } from '#contracts/dashboard.ts'
import type { AppointmentStatus, AppointmentType } from '#contracts/values/appointments.ts'
import type { Status } from '#web/ui/status-badge.tsx'
import type { FigureExplanation, Figure } from './figures/figures.ts'
import type { Loadable } from './panels/loadable.ts'

/** One appointment of today. `time` is HH:mm on the practice's clocks. */
export type DayAppointment = {
  id: string
  time: string
  name: string
  type: AppointmentType
  reason: string | null
  status: AppointmentStatus
  isSample: boolean
}

/** A patient whose record was touched lately. `at` is an ISO instant. */
export type ActivePatient = { id: string; name: string; at: string; isSample: boolean }

export type Insight = {
  type: 'alert' | 'optimization' | 'recommendation'
  priority: 'high' | 'medium' | 'low'
  title: string
  message: string
}

/** A form that came in. `day` is YYYY-MM-DD on the practice's calendar. */
export type RecentForm = {
  id: string
  title: string
  name: string
  day: string
  status: 'pending' | 'reviewed' | 'completed'
  isAnalysed: boolean
}

/** One point of the chart; the days it stands for, when there are records behind it. */
export type Trend = {
  label: string
  scheduled: number
  completed: number
  cancelled: number
  days?: { from: string; to: string }
}

export type Service = { name: string; status: Status | 'not-set-up' | 'error' | 'unknown' }
/** `behind` is what the response time was read from; the demo's fixed one has nothing. */
export type SystemState = {
  services: readonly Service[]
  uptime: string
  responseTime: string
  drillDown?: { label: string; explained: FigureExplanation }
}

/** Everything the dashboard shows, wherever it comes from: the practice, or the sample practice. */
export type Dashboard = {
  /** Whether it shows what the spec fixes for the demo, with the ways to subscribe. */
  isDemo: boolean
  now: Date
  /** HH:mm on the practice's clocks. */
  time: string
  figures: Loadable<readonly Figure[]>
  appointments: Loadable<readonly DayAppointment[]>
  patients: Loadable<readonly ActivePatient[]>
  insights: Loadable<readonly Insight[]>
  forms: Loadable<readonly RecentForm[]>
  trends: Loadable<readonly Trend[]>
  period: TrendPeriod
  onPeriod: (period: TrendPeriod) => void
  system: Loadable<SystemState>
}
