import { FigureKey } from '#contracts/values/analytics.ts'
import { AppointmentType, CalendarDay } from '#contracts/values/appointments.ts'
import { ProviderId } from '#contracts/values/ids.ts'
import { type AnalyticsPeriod, type Days, isAnalyticsPeriod } from './analytics-period.ts'

/** Search parameters of the screen. Without a period it shows three months; `from` and `to` are those of a chosen period. */
export type AnalyticsSearch = {
  period?: AnalyticsPeriod
  from?: string
  to?: string
  provider?: ProviderId
  type?: AppointmentType
  /** The figure whose records are open. */
  records?: FigureKey
}

/** Parses search parameters and drops invalid ones. */
export function parseAnalyticsSearch(raw: Record<string, unknown>): AnalyticsSearch {
  const from = CalendarDay.safeParse(raw['from'])
  const to = CalendarDay.safeParse(raw['to'])
  const provider = ProviderId.safeParse(raw['provider'])
  const type = AppointmentType.safeParse(raw['type'])
  const records = FigureKey.safeParse(raw['records'])
  const days = from.success && to.success && from.data <= to.data ? { from: from.data, to: to.data } : null
  return {
    ...toPeriod(raw['period'], days),
    ...(provider.success ? { provider: provider.data } : {}),
    ...(type.success ? { type: type.data } : {}),
    ...(records.success ? { records: records.data } : {}),
  }
}

function toPeriod(period: unknown, days: Days | null): Pick<AnalyticsSearch, 'period' | 'from' | 'to'> {
  if (!isAnalyticsPeriod(period)) return {}
  if (period !== 'custom') return { period }
  return days ? { period, ...days } : {}
}
