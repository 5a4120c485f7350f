import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { todaysAppointments } from '#contracts/appointments.ts'
import { appointmentTrends, listCountedAppointments, type TrendPeriod } from '#contracts/dashboard.ts'
import { listForms } from '#contracts/forms.ts'
import { listPatients } from '#contracts/patients.ts'
import { getSystemStatus, type SystemStatus } from '#contracts/system-status.ts'
import { call } from '#web/api/call.ts'
import { renderingMs } from '#web/api/early-replies.ts'
import { appointmentKeys } from '#web/entities/appointments/appointment-keys.ts'
import { dashboardKeys } from '#web/entities/dashboard/dashboard-keys.ts'
import { formKeys } from '#web/entities/forms/form-keys.ts'
import { patientKeys } from '#web/entities/patients/patient-keys.ts'
import type { FigureAppointments } from './figures/figures.ts'

// Refetched whenever the dashboard opens, as other users change the data.
const alwaysStale = { staleTime: renderingMs }

/** Query for today's appointments, in order. */
export const todaysAppointmentsQuery = queryOptions({
  queryKey: appointmentKeys.today,
  queryFn: ({ signal }) => call(todaysAppointments, {}, signal),
  ...alwaysStale,
})

/** Query for the five patients whose records were changed last. */
export const activePatientsQuery = queryOptions({
  queryKey: patientKeys.recent,
  queryFn: ({ signal }) => call(listPatients, { query: { limit: 5, sort: '-updatedAt' } }, signal),
  ...alwaysStale,
})

/** Query for the five newest forms. */
export const recentFormsQuery = queryOptions({
  queryKey: formKeys.recent,
  queryFn: ({ signal }) => call(listForms, { query: { limit: 5 } }, signal),
  ...alwaysStale,
})

/** Query for appointments by day or week; the previous period stays visible until the next is loaded. */
export const trendsQuery = (period: TrendPeriod) =>
  queryOptions({
    queryKey: dashboardKeys.trends(period),
    queryFn: ({ signal }) => call(appointmentTrends, { query: { period } }, signal),
    placeholderData: keepPreviousData,
    ...alwaysStale,
  })

/** Query for the appointments that a figure counts. */
export const countedAppointmentsQuery = ({ from, to, by, counted }: FigureAppointments) =>
  queryOptions({
    queryKey: dashboardKeys.countedAppointments({ from, to, by, counted }),
    queryFn: ({ signal }) => call(listCountedAppointments, { query: { from, to, by, counted } }, signal),
    ...alwaysStale,
  })

const maxMeasurements = 20

/** Response time of one request, and its ISO instant. */
export type Measurement = { at: string; durationMs: number }

/** The system status, with the response times of this and previous requests, newest first. */
export type MeasuredSystemStatus = SystemStatus & { measured: readonly Measurement[] }

/** Query for the system status; fetched again while the dashboard is open. */
export const systemStatusQuery = queryOptions({
  queryKey: dashboardKeys.systemStatus,
  queryFn: async ({ signal, client }): Promise<MeasuredSystemStatus> => {
    const start = performance.now()
    const reply = await call(getSystemStatus, {}, signal)
    const durationMs = Math.max(1, Math.round(performance.now() - start))
    const previous = client.getQueryData<MeasuredSystemStatus>(dashboardKeys.systemStatus)?.measured ?? []
    const measured = [{ at: new Date().toISOString(), durationMs }, ...previous].slice(0, maxMeasurements)
    return { ...reply, measured }
  },
  refetchInterval: 60_000,
  ...alwaysStale,
})
