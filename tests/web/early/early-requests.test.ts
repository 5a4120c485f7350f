import { QueryClient } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { appPaths } from '#contracts/app-paths.ts'
import { currentUser, logout } from '#contracts/accounts.ts'
import { call } from '#web/api/call.ts'
import { dropEarlyReplies, type EarlyReplies } from '#web/api/early-replies.ts'
import { isFramed, listEarlyRequests, listTodayRequests, showsToday } from '#web/early/early-requests.ts'
import { subscriptionStatusQuery } from '#web/entities/billing/subscription.ts'
import { dashboardStatsQuery } from '#web/entities/dashboard/stats-query.ts'
import { practiceQuery } from '#web/entities/practices/practice-query.ts'
import { appointmentsQuery, busyDaysQuery } from '#web/features/appointments/api.ts'
import { workCalendarQuery } from '#web/features/appointments/work-calendar.ts'
import { providersQuery } from '#web/entities/providers/providers.ts'
import {
  activePatientsQuery,
  recentFormsQuery,
  todaysAppointmentsQuery,
  trendsQuery,
} from '#web/features/dashboard/api.ts'
import { patientsQuery } from '#web/features/patients/api.ts'
import { parsePatientsSearch } from '#web/features/patients/list/patients-search.ts'
import { user } from '#tests/web/entities/accounts/sample-user.ts'

const practiceId = '00000000-0000-4000-8000-000000000001'
const doctor = {
  practiceId,
  isActiveSubscriber: true,
  mustSetUpTwoFactor: false,
  permissions: ['patients:read', 'patients:write', 'scheduling', 'billing'],
}
const at = (pathname: string, search = '') => ({ pathname, search })

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the requests of a window before its code has arrived', () => {
  /** Returns the URL that a query requests. */
  async function findUrl(query: object): Promise<string | undefined> {
    const requested: string[] = []
    vi.stubGlobal('fetch', (url: string) => {
      requested.push(url)
      return Promise.resolve(new Response('', { status: 503 }))
    })
    const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
    await queries.fetchQuery(query as Parameters<QueryClient['fetchQuery']>[0]).catch(() => undefined)
    return requested[0]
  }

  const frame = [practiceQuery(practiceId), dashboardStatsQuery, subscriptionStatusQuery]
  const dashboard = [todaysAppointmentsQuery, activePatientsQuery, trendsQuery('7days'), recentFormsQuery]
  it.each<[path: string, queries: object[]]>([
    ['/', [...frame, ...dashboard]],
    ['/dashboard', [...frame, ...dashboard]],
    ['/patients', [...frame, patientsQuery(parsePatientsSearch({}))]],
    ['/appointments', [...frame, providersQuery]],
    ['/team', frame],
  ])('are those that the screen sends: %s', async (path, queries) => {
    const urls = []
    for (const query of queries) urls.push(await findUrl(query))
    expect(listEarlyRequests(at(path), doctor)).toEqual(urls)
  })

  it.each([
    ['in the middle of a month', 'America/New_York', '2026-11-29T05:30:00.000Z', '2026-11-29'],
    ['on the day on which clocks change', 'America/New_York', '2026-11-01T12:00:00.000Z', '2026-11-01'],
    ['at the end of a year that has begun elsewhere', 'Asia/Tokyo', '2026-12-31T15:00:00.000Z', '2027-01-01'],
    ['in February', 'Pacific/Honolulu', '2027-02-28T20:00:00.000Z', '2027-02-28'],
  ])('are those of the schedule of today: %s', async (_, zone, now, today) => {
    const queries = [
      appointmentsQuery({ from: today, until: today, zone }),
      workCalendarQuery(today),
      busyDaysQuery(today, zone),
    ]
    const urls = []
    for (const query of queries) urls.push(await findUrl(query))
    expect(listTodayRequests(zone, new Date(now))).toEqual(urls)
  })

  it('are those of today only when the address names no other day', () => {
    expect(showsToday(at('/appointments'))).toBe(true)
    expect(showsToday(at('/appointments', '?date=2026-12-01'))).toBe(false)
    expect(showsToday(at('/dashboard'))).toBe(false)
  })

  it('are those of the frame alone when the address says more about the screen', () => {
    expect(listEarlyRequests(at('/patients', '?search=Liu'), doctor)).toEqual(listEarlyRequests(at('/team'), doctor))
  })

  it('leave out what a user may not read or does not see', () => {
    const nurse = { ...doctor, permissions: ['patients:read'] }
    expect(listEarlyRequests(at('/dashboard'), nurse)).not.toContain('/api/subscription/status')
    expect(listEarlyRequests(at('/dashboard'), nurse)).not.toContain('/api/appointments/today')
    expect(listEarlyRequests(at('/appointments'), nurse)).not.toContain('/api/providers')
    expect(listEarlyRequests(at('/dashboard'), { ...doctor, isActiveSubscriber: false })).toEqual([])
    expect(listEarlyRequests(at('/dashboard'), { ...doctor, practiceId: null })).toEqual([])
    expect(listEarlyRequests(at('/dashboard'), { ...doctor, mustSetUpTwoFactor: true })).toEqual([])
  })

  it('are sent on the screens of practices only', () => {
    const concrete = appPaths.map((path) => path.replaceAll(/\$\w+/g, 'x'))
    expect(concrete.filter((path) => !isFramed(path))).toEqual([
      '/auth',
      '/forgot',
      '/reset/x',
      '/email/x',
      '/confirm-email/x',
      '/two-factor',
      '/welcome',
      '/onboarding',
      '/demo',
      '/under-development',
      '/invitations/x',
      '/f/x',
      '/subscription',
      '/manage-subscription',
      '/billing-portal',
    ])
    expect(listEarlyRequests(at('/auth'), doctor)).toEqual([])
  })
})

describe('an early reply', () => {
  /** Loads the module as a new window does, with an early reply to the current user; counts later requests. */
  function openWindow(early: Promise<Response>) {
    const earlyReplies: EarlyReplies = { startedAt: Date.now(), byUrl: new Map([['/api/user', early]]) }
    const counter = { requests: 0 }
    vi.stubGlobal('window', { earlyReplies })
    vi.stubGlobal('fetch', () => {
      counter.requests++
      return Promise.resolve(Response.json({ ...user, firstName: 'Later' }))
    })
    return counter
  }
  const fetchName = async () => (await call(currentUser, {})).firstName
  const reply = () => Promise.resolve(Response.json({ ...user, firstName: 'Early' }))

  it('is used once, and then the server is asked', async () => {
    const counter = openWindow(reply())
    expect(await fetchName()).toBe('Early')
    expect(counter.requests).toBe(0)
    expect(await fetchName()).toBe('Later')
    expect(counter.requests).toBe(1)
  })

  it('is not used when its request failed', async () => {
    openWindow(Promise.reject(new TypeError('Failed to fetch')))
    expect(await fetchName()).toBe('Later')
  })

  it('is not used after a change of this window or another, nor when it is old', async () => {
    openWindow(reply())
    dropEarlyReplies()
    expect(await fetchName()).toBe('Later')
    openWindow(reply())
    await call(logout, { query: {} }).catch(() => undefined)
    expect(await fetchName()).toBe('Later')
    openWindow(reply())
    vi.useFakeTimers({ now: Date.now() + 60_000 })
    expect(await fetchName()).toBe('Later')
    vi.useRealTimers()
  })
})
