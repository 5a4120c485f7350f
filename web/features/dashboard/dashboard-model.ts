import type { TrendPeriod } from '#contracts/dashboard.ts'
import type { AppointmentStatus, AppointmentType } from '#contracts/values/appointments.ts'
import type { Status } from '#web/ui/status-badge.tsx'
import type { FigureExplanation, Figure } from './figures/figures.ts'
import type { Loadable } from './panels/loadable.ts'

/** Appointment of today. `time` is HH:mm in the practice's time zone. */
export type DayAppointment = {
  id: string
  time: string
  name: string
  type: AppointmentType
  reason: string | null
  status: AppointmentStatus
  /** The patient has died. */
  isDeceased: boolean
  isSample: boolean
}

/** Patient whose record was changed recently. `at` is an ISO instant. */
export type ActivePatient = { id: string; name: string; at: string; isSample: boolean }

export type Insight = {
  type: 'alert' | 'optimization' | 'recommendation'
  priority: 'high' | 'medium' | 'low'
  title: string
  message: string
}

/** Recent form. `day` is YYYY-MM-DD in the practice's time zone. */
export type RecentForm = {
  id: string
  title: string
  name: string
  day: string
  status: 'pending' | 'reviewed' | 'completed'
  isAnalyzed: boolean
  /** The practice analyzes forms on request only. */
  isSkipped: boolean
}

/** Point of the trends chart. `days` is its date range, where its appointments can be opened. */
export type Trend = {
  label: string
  scheduled: number
  completed: number
  cancelled: number
  days?: { from: string; to: string }
}

export type Service = { name: string; status: Status | 'error' | 'unknown' }
/** A figure of the system. `drillDown` lists what it was computed from; the demo's fixed ones have none. */
export type SystemMetric = {
  label: string
  value: string
  drillDown?: { label: string; explained: FigureExplanation }
}
export type SystemState = { services: readonly Service[]; metrics: readonly SystemMetric[] }

/** Data of the dashboard, from the practice or the sample practice. */
export type Dashboard = {
  /** Shows the fixed demo data of the spec, with links to subscribe. */
  isDemo: boolean
  /** False for the sample dashboard, whose rows stand for no records. */
  hasRecords: boolean
  /** The user neither schedules nor adds patients, as a reviewer. */
  isReadOnly: boolean
  now: Date
  /** HH:mm in the practice's time zone. */
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
