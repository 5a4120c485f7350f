import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { v4 as uuid } from 'uuid'
import {
  bookSeries,
  cancelSeries,
  changeSeries,
  listSeries,
  previewSeries,
  type SeriesScope,
} from '#contracts/appointment-series.ts'
import type { Appointment } from '#contracts/appointments.ts'
import type { RequestInput } from '#contracts/endpoint.ts'
import { call } from '#web/api/call.ts'
import { appointmentKeys } from '#web/entities/appointments/appointment-keys.ts'

type Plan = RequestInput<typeof previewSeries>['body']
type ChangeBody = RequestInput<typeof changeSeries>['body']
/** The fields to change in several appointments of a series. */
export type SeriesChange = Omit<ChangeBody, 'appointmentId' | 'scope' | 'allowOverlap' | 'seen'>

/** Query for the appointments that a series would have, with their conflicts; disabled while the plan is incomplete. */
export const seriesPreviewQuery = (plan: Plan | null) =>
  queryOptions({
    queryKey: appointmentKeys.seriesPlan(plan),
    queryFn: async ({ signal }) => (plan ? (await call(previewSeries, { body: plan }, signal)).appointments : []),
    enabled: plan !== null,
    staleTime: 0,
    gcTime: 60_000,
    retry: false,
  })

/** Query for all appointments in a series by time, including past and cancelled ones. */
export const seriesQuery = (seriesId: string) =>
  queryOptions({
    queryKey: appointmentKeys.series(seriesId),
    queryFn: ({ signal }) => call(listSeries, { params: { seriesId } }, signal),
    staleTime: 0,
  })

/**
 * Books a series; resolves when the lists show it. An identical request after a failure reuses the attempt id, so that no
 * appointment is booked twice.
 */
export function useBookSeries() {
  const queries = useQueryClient()
  const last = useRef<{ request: string; idempotencyKey: string }>(undefined)
  return useMutation({
    mutationFn: (body: RequestInput<typeof bookSeries>['body']) => {
      const request = JSON.stringify(body)
      if (last.current?.request !== request) last.current = { request, idempotencyKey: uuid() }
      return call(bookSeries, { body: { ...body, idempotencyKey: last.current.idempotencyKey } })
    },
    onSuccess: () => (last.current = undefined),
    onSettled: () => queries.invalidateQueries({ queryKey: appointmentKeys.all }),
  })
}

type SeriesChangeRequest = {
  appointment: Appointment
  scope: SeriesScope
  change: SeriesChange
  allowOverlap?: boolean
}

/**
 * Changes several appointments of a series. An identical request after a failure repeats the original state of the
 * appointments, so that none is changed twice.
 */
export function useChangeSeries() {
  const queries = useQueryClient()
  const first = useRef<{ request: string; expectedRevisions: NonNullable<ChangeBody['expectedRevisions']> }>(undefined)
  return useMutation({
    mutationFn: async ({ appointment, scope, change, allowOverlap = false }: SeriesChangeRequest) => {
      const seriesId = appointment.seriesId ?? ''
      const request = JSON.stringify([appointment.id, scope, change])
      if (first.current?.request !== request) {
        const series = await queries.fetchQuery(seriesQuery(seriesId))
        const displayed = series.map((other) => (other.id === appointment.id ? appointment : other))
        first.current = {
          request,
          expectedRevisions: displayed.map(({ id, revision, appointmentDate }) => ({
            appointmentId: id,
            revision,
            appointmentDate,
          })),
        }
      }
      const { expectedRevisions } = first.current
      return await call(changeSeries, {
        params: { seriesId },
        body: { ...change, appointmentId: appointment.id, scope, allowOverlap, expectedRevisions },
      })
    },
    onSuccess: () => (first.current = undefined),
    onSettled: () => queries.invalidateQueries({ queryKey: appointmentKeys.all }),
  })
}

/** Cancels several appointments of a series. */
export function useCancelSeries() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ seriesId, ...body }: { seriesId: string } & RequestInput<typeof cancelSeries>['body']) =>
      call(cancelSeries, { params: { seriesId }, body }),
    onSettled: () => queries.invalidateQueries({ queryKey: appointmentKeys.all }),
  })
}
