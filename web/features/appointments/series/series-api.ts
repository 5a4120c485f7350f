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

type Plan = RequestInput<typeof previewSeries>['body']
type ChangeBody = RequestInput<typeof changeSeries>['body']
/** What of the appointments of a row is to change. */
export type SeriesChange = Omit<ChangeBody, 'appointmentId' | 'scope' | 'allowOverlap' | 'expectedRevisions'>

/** The appointments a row would have and what is in their way; null while it is not known what is wished. */
export const seriesPreviewQuery = (plan: Plan | null) =>
  queryOptions({
    queryKey: ['appointments', 'series-plan', plan],
    queryFn: async ({ signal }) => (plan ? (await call(previewSeries, { body: plan }, signal)).appointments : []),
    enabled: plan !== null,
    staleTime: 0,
    gcTime: 60_000,
    retry: false,
  })

/** Every appointment of a row, also those that are over or cancelled, in order of time. */
export const seriesQuery = (seriesId: string) =>
  queryOptions({
    queryKey: ['appointments', 'series', seriesId],
    queryFn: ({ signal }) => call(listSeries, { params: { seriesId } }, signal),
    staleTime: 0,
  })

/**
 * Books a row of appointments; resolves when the lists show it. Sent once more after a failure, the same wish is the same attempt, so
 * that what is booked already is not booked twice.
 */
export function useBookSeries() {
  const queries = useQueryClient()
  const last = useRef<{ wish: string; idempotencyKey: string }>(undefined)
  return useMutation({
    mutationFn: (body: RequestInput<typeof bookSeries>['body']) => {
      const wish = JSON.stringify(body)
      if (last.current?.wish !== wish) last.current = { wish, idempotencyKey: uuid() }
      return call(bookSeries, { body: { ...body, idempotencyKey: last.current.idempotencyKey } })
    },
    onSuccess: () => (last.current = undefined),
    onSettled: () => queries.invalidateQueries({ queryKey: ['appointments'] }),
  })
}

type SeriesWish = { appointment: Appointment; scope: SeriesScope; change: SeriesChange; allowOverlap?: boolean }

/**
 * Changes several appointments of a row. Sent once more after a failure, the same wish says again how the appointments were at first, so
 * that what is changed already is not changed twice.
 */
export function useChangeSeries() {
  const queries = useQueryClient()
  const first = useRef<{ wish: string; expectedRevisions: NonNullable<ChangeBody['expectedRevisions']> }>(undefined)
  return useMutation({
    mutationFn: async ({ appointment, scope, change, allowOverlap = false }: SeriesWish) => {
      const seriesId = appointment.seriesId ?? ''
      const wish = JSON.stringify([appointment.id, scope, change])
      if (first.current?.wish !== wish) {
        const row = await queries.fetchQuery(seriesQuery(seriesId))
        const asShown = row.map((each) => (each.id === appointment.id ? appointment : each))
        first.current = {
          wish,
          expectedRevisions: asShown.map(({ id, revision, appointmentDate }) => ({
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
    onSettled: () => queries.invalidateQueries({ queryKey: ['appointments'] }),
  })
}

/** Cancels several appointments of a row. */
export function useCancelSeries() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ seriesId, ...body }: { seriesId: string } & RequestInput<typeof cancelSeries>['body']) =>
      call(cancelSeries, { params: { seriesId }, body }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['appointments'] }),
  })
}
