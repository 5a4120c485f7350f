import { Router } from '@koa/router'
import * as contract from '#contracts/analytics.ts'
import { computeScore, FigureKey, figureDefinitions, type PeriodCounts } from '#contracts/values/analytics.ts'
import { toLocalDate } from '#contracts/values/calendar.ts'
import { requirePermission } from '#http/access.ts'
import { serve } from '#http/serve.ts'
import type { Member } from '#http/session.ts'
import type { Services } from '#modules/module.ts'
import { findPatientNames } from '#modules/patients/public.ts'
import { findProviders } from '#modules/providers/public.ts'
import { recordScope } from '#modules/samples/public.ts'
import { findWorkCalendar } from '#modules/working-hours/public.ts'
import { createPeriod } from './period.ts'
import { countPeriod, countPoints, divide, findRecords, recordKinds } from './queries.ts'
import { sumWorkingMinutes } from './working-minutes.ts'

type Query = { from: string; to: string; provider?: string | undefined; type?: string | undefined }

/** Serves the figures of a practice in a period: computed in one place for the screen, the export and the records behind. */
export function analyticsRoutes(services: Services): Router {
  const { db, clock } = services
  const router = new Router()

  function readPeriod({ timezone: zone }: Member, query: Query) {
    const now = clock().toISOString()
    const filter = { provider: query.provider, type: query.type, now }
    return { zone, today: toLocalDate(now, zone), period: createPeriod(query, zone), filter }
  }

  /** Returns the function that sums the working minutes of local dates; hours and providers count as they are now. */
  async function measureWork({ practiceId }: Member, from: string, until: string, zone: string, provider?: string) {
    const [calendar, providers] = await Promise.all([
      findWorkCalendar(db, practiceId, { from, until }),
      findProviders(db, practiceId),
    ])
    const counted = providers
      .filter(({ id, active }) => active && (provider === undefined || id === provider))
      .map(({ id, createdAt }) => ({ id, since: toLocalDate(createdAt, zone) }))
    return (first: string, last: string) =>
      sumWorkingMinutes({ week: calendar.week, closures: calendar.closures, providers: counted }, first, last)
  }

  async function analyze(caller: Member, query: Query): Promise<contract.Analytics> {
    const scope = recordScope(caller)
    const { zone, period, filter } = readPeriod(caller, query)
    const { span, spanBefore, before, parts } = period
    const [counts, countsBefore, points, pointsBefore, sumMinutes] = await Promise.all([
      countPeriod(db, scope, span, filter),
      countPeriod(db, scope, spanBefore, filter),
      countPoints(
        db,
        scope,
        parts.map((part) => part.span),
        filter,
      ),
      countPoints(
        db,
        scope,
        parts.map((part) => part.spanBefore),
        filter,
      ),
      measureWork(caller, before.from, period.to, zone, query.provider),
    ])
    const now: PeriodCounts = { ...counts, workingMinutes: sumMinutes(period.from, period.to) }
    const earlier: PeriodCounts = { ...countsBefore, workingMinutes: sumMinutes(before.from, before.to) }
    const figures = FigureKey.options.map((key) => {
      const { label, unit, formula, compute, count } = figureDefinitions[key]
      // The change before is not known: it would need the period before that one.
      const previous = key === 'revenue-growth' ? null : compute(earlier, earlier)
      return { key, label, unit, formula, value: compute(now, earlier), previous, count: count(now) }
    })
    return {
      period: { from: period.from, to: period.to, days: period.days },
      before,
      figures,
      score: computeScore(figures),
      revenueCents: now.revenueCents,
      revenueBeforeCents: earlier.revenueCents,
      points: parts.map(({ from, to }, index) => ({
        from,
        to,
        scheduled: points[index]?.scheduled ?? 0,
        completed: points[index]?.completed ?? 0,
        cancelled: points[index]?.cancelled ?? 0,
        revenueCents: points[index]?.revenueCents ?? 0,
        revenueBeforeCents: pointsBefore[index]?.revenueCents ?? 0,
      })),
    }
  }

  serve(router, contract.getAnalytics, ({ caller, query }) => analyze(caller, query))

  serve(router, contract.exportAnalytics, async ({ caller, query }, { setHeader }) => {
    const analytics = await analyze(caller, query)
    const { from, to } = analytics.period
    setHeader('Content-Disposition', `attachment; filename="analytics-${from}-${to}.csv"`)
    return contract.formatAnalyticsCsv(analytics)
  })

  serve(router, contract.getAnalyticsBreakdowns, async ({ caller, query }) => {
    const { zone, period, filter } = readPeriod(caller, query)
    const [shares, providers] = await Promise.all([
      divide(db, recordScope(caller), period.span, { ...filter, zone, on: period.to }),
      findProviders(db, caller.practiceId),
    ])
    const names = new Map<string, string>(providers.map(({ id, name }) => [id, name]))
    return {
      ...shares,
      providers: shares.providers.map((share) => ({ ...share, label: names.get(share.key) ?? null })),
    }
  })

  serve(router, contract.listAnalyticsRecords, async ({ caller, params: { key }, query }, { setHeader }) => {
    const { records, count } = figureDefinitions[key]
    if (records === 'verifications') requirePermission(caller, 'insurance')
    if (key === 'revenue-growth') requirePermission(caller, 'billing')
    const scope = recordScope(caller)
    const { period, filter } = readPeriod(caller, query)
    const [found, counts] = await Promise.all([
      findRecords(db, scope, key, period.span, filter),
      countPeriod(db, scope, period.span, filter),
    ])
    setHeader('X-Total-Count', String(count({ ...counts, workingMinutes: 0 })))
    const patients = await findPatientNames(db, [...new Set(found.map(({ patientId }) => patientId))])
    const names = new Map(patients.map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`]))
    return found.map((record) => ({
      ...record,
      kind: recordKinds[records],
      patientName: names.get(record.patientId) ?? null,
    }))
  })

  return router
}
