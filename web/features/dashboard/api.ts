import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { todaysAppointments } from '#contracts/appointments.ts'
import { appointmentTrends, listCountedAppointments, type TrendPeriod } from '#contracts/dashboard.ts'
import { type Health, health } from '#contracts/health.ts'
import { listPatients } from '#contracts/patients.ts'
import { call } from '#web/api/call.ts'
import { appointmentKeys } from '#web/entities/appointments/appointment-keys.ts'
import { dashboardKeys } from '#web/entities/dashboard/dashboard-keys.ts'
import { patientKeys } from '#web/entities/patients/patient-keys.ts'
import type { FigureAppointments } from './figures/figures.ts'

// Colleagues work too: whoever comes back to the dashboard sees it as it is then.
const alwaysStale = { staleTime: 0 }

/** Today's appointments, in order. */
export const todaysAppointmentsQuery = queryOptions({
  queryKey: appointmentKeys.today,
  queryFn: ({ signal }) => call(todaysAppointments, {}, signal),
  ...alwaysStale,
})

/** The five patients whose records were touched last. */
export const activePatientsQuery = queryOptions({
  queryKey: patientKeys.recent,
  queryFn: ({ signal }) => call(listPatients, { query: { limit: 5, sort: '-updatedAt' } }, signal),
  ...alwaysStale,
})

/** Appointments by day or week; the period before stays on screen until the next is there. */
export const trendsQuery = (period: TrendPeriod) =>
  queryOptions({
    queryKey: dashboardKeys.trends(period),
    queryFn: ({ signal }) => call(appointmentTrends, { query: { period } }, signal),
    placeholderData: keepPreviousData,
    ...alwaysStale,
  })

/** The appointments behind a figure. */
export const countedAppointmentsQuery = ({ from, to, by, counted }: FigureAppointments) =>
  queryOptions({
    queryKey: dashboardKeys.countedAppointments({ from, to, by, counted }),
    queryFn: ({ signal }) => call(listCountedAppointments, { query: { from, to, by, counted } }, signal),
    ...alwaysStale,
  })

const maxMeasurements = 20

/** How long one answer was on its way to this browser, in milliseconds, and when it came (an ISO instant). */
export type Measurement = { at: string; durationMs: number }

type MeasuredHealth = Health & { measured: readonly Measurement[] }

/** How the system is, and how long it took to say so: this time and the times before, newest first. */
export const healthQuery = queryOptions({
  queryKey: dashboardKeys.health,
  queryFn: async ({ signal, client }): Promise<MeasuredHealth> => {
    const began = performance.now()
    const answer = await call(health, {}, signal)
    const took = Math.max(1, Math.round(performance.now() - began))
    const before = client.getQueryData<MeasuredHealth>(dashboardKeys.health)?.measured ?? []
    const measured = [{ at: new Date().toISOString(), durationMs: took }, ...before].slice(0, maxMeasurements)
    return { ...answer, measured }
  },
  ...alwaysStale,
})
