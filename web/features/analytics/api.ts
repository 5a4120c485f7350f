import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import { exportAnalytics, getAnalytics, getAnalyticsBreakdowns, listAnalyticsRecords } from '#contracts/analytics.ts'
import type { FigureKey } from '#contracts/values/analytics.ts'
import type { AppointmentType } from '#contracts/values/appointments.ts'
import type { ProviderId } from '#contracts/values/ids.ts'
import { call, callPaged } from '#web/api/call.ts'
import { downloadFile } from '#web/api/download.ts'
import { analyticsKeys } from './analytics-keys.ts'

/** A period of local dates, and the appointments to which it is limited. */
export type AnalyticsQuery = {
  from: string
  to: string
  provider?: ProviderId | undefined
  type?: AppointmentType | undefined
}

/** Query for the figures of a period; the previous ones stay until they are loaded. */
export const analyticsQuery = (query: AnalyticsQuery) =>
  queryOptions({
    queryKey: analyticsKeys.figures(query),
    queryFn: ({ signal }) => call(getAnalytics, { query }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Query for the parts of the work of a period. */
export const breakdownsQuery = (query: AnalyticsQuery) =>
  queryOptions({
    queryKey: analyticsKeys.breakdowns(query),
    queryFn: ({ signal }) => call(getAnalyticsBreakdowns, { query }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Query for the records behind a figure. */
export const recordsQuery = (key: FigureKey, query: AnalyticsQuery) =>
  queryOptions({
    queryKey: analyticsKeys.records(key, query),
    queryFn: ({ signal }) => callPaged(listAnalyticsRecords, { params: { key }, query }, signal),
    staleTime: 0,
  })

/** Returns the mutation that downloads the figures, after a check: the browser does not say why a download failed. */
export const useExport = () =>
  useMutation({
    mutationFn: (query: AnalyticsQuery) => downloadFile(exportAnalytics, { query }),
  })
