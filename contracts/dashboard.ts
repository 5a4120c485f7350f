import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { AppointmentId, PatientId } from './values/ids.ts'
import { Money } from './values/money.ts'
import { AppointmentType, CalendarDay } from './values/appointments.ts'

/** A figure with what it was before, oldest first, so that a trend is shown from real numbers or not at all. */
const Count = z.number().int().min(0)

/**
 * The four figures of the dashboard, and what they are compared with. Days are the practice's own. Revenue is the sum of the
 * fees of the appointments completed since the first of the month (product.md 3).
 */
export const DashboardStats = z.object({
  /** The practice's today, YYYY-MM-DD. */
  today: z.string(),
  /** Cancelled appointments do not count. */
  todaysAppointments: Count,
  totalPatients: Count,
  /** 0 until there are insights. */
  aiInsights: Count,
  revenue: Money,
  compared: z.object({
    yesterdaysAppointments: Count,
    /** Patients entered in the last seven days. */
    newPatientsThisWeek: Count,
    /** Up to the same day of last month. */
    lastMonthsRevenue: Money,
  }),
  /** The last seven days, today last: appointments a day, patients there were, revenue a day in cents. */
  histories: z.object({
    appointments: z.array(Count).length(7),
    patients: z.array(Count).length(7),
    revenue: z.array(Count).length(7),
  }),
})
export type DashboardStats = z.infer<typeof DashboardStats>

/** `today's appointments`, `total patients`, `AI insights` and the revenue of the month so far. */
export const dashboardStats = endpoint({
  method: 'GET',
  path: '/api/dashboard/stats',
  access: 'member',
  reply: DashboardStats,
})

export const TrendPeriod = z.enum(['7days', '30days', '3months'])
export type TrendPeriod = z.infer<typeof TrendPeriod>

/** One day, or for three months one week: from its first to its last day, YYYY-MM-DD. */
export const TrendPoint = z.object({
  from: z.string(),
  to: z.string(),
  /** All appointments of these days, also those that were cancelled later. */
  scheduled: Count,
  completed: Count,
  cancelled: Count,
})
export type TrendPoint = z.infer<typeof TrendPoint>

/** How many appointments there were in a period that ends today, day by day or week by week, oldest first. */
export const appointmentTrends = endpoint({
  method: 'GET',
  path: '/api/dashboard/trends',
  access: 'member',
  query: z.strictObject({ period: TrendPeriod.default('7days') }),
  reply: z.object({
    points: z.array(TrendPoint),
    /** The same of the period before. */
    before: z.object({ scheduled: Count, completed: Count, cancelled: Count }),
  }),
})

/** Which appointments a figure counts: all, those not cancelled, or those that were completed or cancelled. */
export const AppointmentCountFilter = z.enum(['all', 'kept', 'completed', 'cancelled'])
export type AppointmentCountFilter = z.infer<typeof AppointmentCountFilter>

/** One appointment behind a figure. `localDate` and `localTime` (HH:mm) are what the practice's clocks showed. */
export const CountedAppointment = z.object({
  id: AppointmentId,
  patientId: PatientId,
  /** Null when the patient has been removed since. */
  patient: z.object({ firstName: z.string(), lastName: z.string() }).nullable(),
  localDate: z.string(),
  localTime: z.string(),
  type: AppointmentType,
  state: z.enum(['open', 'completed', 'cancelled']),
  fee: Money.nullable(),
})
export type CountedAppointment = z.infer<typeof CountedAppointment>

/**
 * The appointments behind a figure, newest first, at most a thousand: those that begin, or (`by=completion`) were completed, on the
 * practice's own days from `from` to `to`.
 */
export const listCountedAppointments = endpoint({
  method: 'GET',
  path: '/api/dashboard/appointments',
  access: { permission: 'scheduling' },
  query: z.strictObject({
    from: CalendarDay,
    to: CalendarDay,
    by: z.enum(['start', 'completion']).default('start'),
    counted: AppointmentCountFilter.default('all'),
  }),
  reply: z.array(CountedAppointment),
})
