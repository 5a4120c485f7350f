import { z } from 'zod'
import { withholdFees } from './appointments.ts'
import { endpoint } from './endpoint.ts'
import { AppointmentId, PatientId } from './values/ids.ts'
import { Money } from './values/money.ts'
import { PersonName } from './values/person-name.ts'
import { AppointmentType, CalendarDay } from './values/appointments.ts'

const Count = z.number().int().min(0)

/**
 * The four figures of the dashboard with their comparisons and histories, so that trends show real numbers. Days are in the
 * practice's time zone. Revenue is the sum of the fees of the appointments completed since the first of the month
 * (product.md 3).
 */
export const DashboardStats = z.object({
  /** The current date in the practice's time zone, YYYY-MM-DD. */
  today: z.string(),
  /** Cancelled appointments do not count. */
  todaysAppointments: Count,
  totalPatients: Count,
  /** The number of insights about the practice, also for callers who may not list them (`/api/ai/insights`). */
  aiInsights: Count,
  /**
   * Whole and part dollars, as the specification has it; calculate with `revenueCents`. This and the other figures of money
   * are null for callers without the permission `billing`.
   */
  revenue: z.number().min(0).nullable(),
  revenueCents: Count.nullable(),
  compared: z.object({
    yesterdaysAppointments: Count,
    /** Patients registered in the last seven days. */
    newPatientsThisWeek: Count,
    /** Revenue up to the same day of last month. */
    lastMonthsRevenue: Money.nullable(),
  }),
  /** The last seven days, today last: appointments per day, total patients, revenue per day in cents. */
  histories: z.object({
    appointments: z.array(Count).length(7),
    patients: z.array(Count).length(7),
    revenue: z.array(Count).length(7).nullable(),
  }),
})
export type DashboardStats = z.infer<typeof DashboardStats>

/** Today's appointments, total patients, AI insights and the revenue of the current month. */
export const dashboardStats = endpoint({
  method: 'GET',
  path: '/api/dashboard/stats',
  access: 'member',
  reply: DashboardStats,
  withhold: (stats: DashboardStats, may): DashboardStats =>
    may('billing')
      ? stats
      : {
          ...stats,
          revenue: null,
          revenueCents: null,
          compared: { ...stats.compared, lastMonthsRevenue: null },
          histories: { ...stats.histories, revenue: null },
        },
})

export const TrendPeriod = z.enum(['7days', '30days', '3months'])
export type TrendPeriod = z.infer<typeof TrendPeriod>

/** One day, or one week of the three months: its first and last date, YYYY-MM-DD. */
export const TrendPoint = z.object({
  from: z.string(),
  to: z.string(),
  /** All appointments of these days, cancelled ones included. */
  scheduled: Count,
  completed: Count,
  cancelled: Count,
})
export type TrendPoint = z.infer<typeof TrendPoint>

/** Counts appointments per day or week in a period that ends today, oldest first. */
export const appointmentTrends = endpoint({
  method: 'GET',
  path: '/api/dashboard/trends',
  access: 'member',
  query: z.object({ period: TrendPeriod.default('7days') }),
  reply: z.object({
    points: z.array(TrendPoint),
    /** Totals of the previous period of the same length. */
    before: z.object({ scheduled: Count, completed: Count, cancelled: Count }),
  }),
})

/** The appointments that a figure counts: all, those not cancelled (`kept`), or those completed or cancelled. */
export const AppointmentCountFilter = z.enum(['all', 'kept', 'completed', 'cancelled'])
export type AppointmentCountFilter = z.infer<typeof AppointmentCountFilter>

/** One appointment behind a figure. `localDate` and `localTime` (HH:mm) are in the practice's time zone. */
export const CountedAppointment = z.object({
  id: AppointmentId,
  patientId: PatientId,
  /** Null when the patient was removed. */
  patient: PersonName.nullable(),
  localDate: z.string(),
  localTime: z.string(),
  type: AppointmentType,
  state: z.enum(['open', 'completed', 'cancelled']),
  /** Null before completion, and for callers without the permission `billing`. */
  fee: Money.nullable(),
})
export type CountedAppointment = z.infer<typeof CountedAppointment>

/**
 * Lists the appointments behind a figure, newest first, at most a thousand: those that start, or (`by=completion`) were
 * completed, from `from` to `to` in the practice's time zone.
 */
export const listCountedAppointments = endpoint({
  method: 'GET',
  path: '/api/dashboard/appointments',
  access: { permission: 'scheduling' },
  query: z.object({
    from: CalendarDay,
    to: CalendarDay,
    by: z.enum(['start', 'completion']).default('start'),
    counted: AppointmentCountFilter.default('all'),
  }),
  reply: z.array(CountedAppointment),
  withhold: withholdFees,
})
