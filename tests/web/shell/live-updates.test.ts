import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiProblem } from '#web/api/call.ts'
import { applyUpdates, noteLiveUpdatesPoint, subscribeToUpdates } from '#web/api/live-updates.ts'
import { signOutKey } from '#web/api/session-channel.ts'
import { isAffectedByDates } from '#web/entities/appointments/appointment-keys.ts'
import { liveUpdateRules } from '#web/shell/live-updates.ts'
import { user } from '#tests/web/entities/accounts/sample-user.ts'

const march = ['appointments', 'days', { from: '2027-03-01', until: '2027-03-31' }, 'UTC']
const second = ['appointments', 'days', { from: '2027-03-02', until: '2027-03-02' }, 'UTC']

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function createCache() {
  const queries = new QueryClient()
  for (const key of [
    march,
    second,
    ['appointments', 'free', {}],
    ['patients', 'list', {}],
    ['practice', 'x'],
    ['user'],
  ])
    queries.setQueryData(key, [])
  const getStale = () =>
    queries
      .getQueryCache()
      .getAll()
      .filter(({ state }) => state.isInvalidated)
      .map(({ queryKey }) => queryKey)
  return { queries, getStale }
}

describe('live updates', () => {
  it('affect the dates they name, and queries without dates', () => {
    expect(isAffectedByDates(second, { kind: 'appointments', dates: ['2027-03-03'] })).toBe(false)
    expect(isAffectedByDates(march, { kind: 'appointments', dates: ['2027-03-03'] })).toBe(true)
    expect(isAffectedByDates(second, { kind: 'appointments' })).toBe(true)
    expect(isAffectedByDates(['appointments', 'free', {}], { kind: 'appointments', dates: ['2027-03-03'] })).toBe(true)
  })

  it('invalidate what changed, and nothing else', () => {
    const { queries, getStale } = createCache()
    applyUpdates(queries, liveUpdateRules, [{ hint: { kind: 'appointments', dates: ['2027-03-03'] } }])
    expect(getStale()).toEqual([march, ['appointments', 'free', {}]])
    applyUpdates(queries, liveUpdateRules, [{ hint: { kind: 'patients' } }])
    expect(getStale()).toContainEqual(['patients', 'list', {}])
    expect(getStale()).not.toContainEqual(['practice', 'x'])
  })

  it('invalidate what shows local dates and times when the practice changes, which may be its time zone', () => {
    const { queries, getStale } = createCache()
    applyUpdates(queries, liveUpdateRules, [{ hint: { kind: 'practice' } }])
    expect(getStale()).toEqual([march, second, ['appointments', 'free', {}], ['practice', 'x']])
  })

  it('refresh the subscription and the current user, but keep the user when the session has expired', async () => {
    const { queries, getStale } = createCache()
    const before = { ...user, subscriptionStatus: 'demo' }
    queries.setQueryData(['subscription', 'status'], null)
    queries.setQueryData(['user'], before)
    const applyHint = async (status: number, body: object) => {
      const requested = Promise.withResolvers<void>()
      vi.stubGlobal('fetch', () => {
        requested.resolve()
        return Promise.resolve(Response.json(body, { status }))
      })
      applyUpdates(queries, liveUpdateRules, [{ hint: { kind: 'subscription' } }])
      await requested.promise
    }
    const getUser = () => queries.getQueryData(['user'])
    const problem = { type: 'about:blank', title: 'Signed out', status: 401, code: 'signed-out' }
    await applyHint(401, problem)
    // Long enough for the refusal to be applied, if it were.
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(getUser()).toEqual(before)
    await applyHint(200, user)
    await expect.poll(getUser).toMatchObject({ subscriptionStatus: 'trial' })
    expect(getStale()).toEqual([['subscription', 'status']])
  })

  it('invalidate everything after a lost connection, and refresh the current user', async () => {
    const { queries, getStale } = createCache()
    queries.setQueryData(['user'], { ...user, subscriptionStatus: 'demo' })
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json(user)))
    applyUpdates(queries, liveUpdateRules, [{ missed: true }])
    expect(getStale()).toHaveLength(5)
    await expect.poll(() => queries.getQueryData(['user'])).toMatchObject({ subscriptionStatus: 'trial' })
  })

  /** Shows the figures of the dashboard, whose requests are answered in turn; the last answer stays. */
  function showFigures(answers: (() => unknown)[]) {
    const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } })
    const queryKey = ['dashboard', 'stats']
    queries.setQueryData(queryKey, 0)
    const counter = { requests: 0 }
    const queryFn = async () => answers[Math.min(counter.requests++, answers.length - 1)]?.()
    new QueryObserver(queries, { queryKey, queryFn }).subscribe(() => undefined)
    return { queries, counter }
  }
  const fail = (status: number) => () => {
    throw new ApiProblem({ type: 'about:blank', title: 'Not now', status, code: 'too-slow', message: '', errors: [] })
  }

  it('fetch once what several updates affect', async () => {
    const { queries, counter } = showFigures([() => 1])
    await applyUpdates(queries, liveUpdateRules, [{ missed: true }, { missed: true }])
    expect(counter.requests).toBe(1)
  })

  it('are to be repeated when the server was too busy, and not when it refuses', async () => {
    const { queries } = showFigures([fail(503), fail(403), () => 1])
    const hint = { hint: { kind: 'appointments' } } as const
    expect(await applyUpdates(queries, liveUpdateRules, [hint])).toEqual([hint])
    expect(await applyUpdates(queries, liveUpdateRules, [hint])).toEqual([])
    expect(await applyUpdates(queries, liveUpdateRules, [hint])).toEqual([])
  })

  describe('of a connection', () => {
    /** Replaces the connections of a browser by silent ones. */
    function stubConnections() {
      const opened: Connection[] = []
      class Connection extends EventTarget {
        isClosed = false
        readonly url: string
        constructor(url: string) {
          super()
          this.url = url
          opened.push(this)
        }
        /** Delivers a message as the server sends it. */
        deliver(name: string, data: object, lastEventId = '') {
          this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data), lastEventId }))
        }
        close() {
          this.isClosed = true
        }
      }
      vi.stubGlobal('EventSource', Connection)
      vi.stubGlobal('navigator', {})
      vi.useFakeTimers()
      return opened
    }

    it('that is silent for a minute come from a new one', async () => {
      const opened = stubConnections()
      const unsubscribe = subscribeToUpdates(new QueryClient(), [])
      await vi.advanceTimersByTimeAsync(50_000)
      opened[0]?.dispatchEvent(new Event('heartbeat'))
      await vi.advanceTimersByTimeAsync(59_000)
      expect(opened.map(({ isClosed }) => isClosed)).toEqual([false])
      await vi.advanceTimersByTimeAsync(10_000)
      expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, false])
      unsubscribe()
      expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, true])
    })

    it('wait while the user signs out, and are applied if that fails', async () => {
      const opened = stubConnections()
      const { queries, counter } = showFigures([() => 1])
      const unsubscribe = subscribeToUpdates(queries, liveUpdateRules)
      const reply = Promise.withResolvers<never>()
      const options = { mutationKey: signOutKey, mutationFn: () => reply.promise }
      const signingOut = queries.getMutationCache().build(queries, options).execute(undefined)
      opened[0]?.dispatchEvent(new MessageEvent('change', { data: JSON.stringify({ kind: 'appointments' }) }))
      await vi.advanceTimersByTimeAsync(3_000)
      expect(counter.requests).toBe(0)
      reply.reject(new Error('No connection'))
      await expect(signingOut).rejects.toThrow('No connection')
      await vi.advanceTimersByTimeAsync(1_000)
      expect(counter.requests).toBe(1)
      unsubscribe()
    })

    it('continue where the data of the window begins, and fetch nothing again', async () => {
      const opened = stubConnections()
      const { queries, counter } = showFigures([() => 1])
      noteLiveUpdatesPoint(queries, 'p1/+')
      const unsubscribe = subscribeToUpdates(queries, liveUpdateRules)
      expect(opened[0]?.url).toBe('/api/changes?since=p1%2F%2B')
      opened[0]?.deliver('open', { isResumed: true }, 'p2')
      await vi.advanceTimersByTimeAsync(1_000)
      expect(counter.requests).toBe(0)
      unsubscribe()
    })

    it('leave the replies that came before the code of a window, until something changes', () => {
      const opened = stubConnections()
      const byUrl = new Map([['/api/providers', Promise.resolve(Response.json([]))]])
      vi.stubGlobal('window', { earlyReplies: { startedAt: Date.now(), byUrl } })
      const unsubscribe = subscribeToUpdates(new QueryClient(), [])
      opened[0]?.deliver('open', { isResumed: true }, 'p2')
      expect(byUrl.size).toBe(1)
      opened[0]?.deliver('change', { kind: 'practice' }, 'p3')
      expect(byUrl.size).toBe(0)
      unsubscribe()
    })

    it('fetch everything again when they cannot continue', async () => {
      const opened = stubConnections()
      const { queries, counter } = showFigures([() => 1])
      const unsubscribe = subscribeToUpdates(queries, liveUpdateRules)
      expect(opened[0]?.url).toBe('/api/changes')
      opened[0]?.deliver('open', { isResumed: false }, 'p2')
      await vi.advanceTimersByTimeAsync(1_000)
      expect(counter.requests).toBe(1)
      unsubscribe()
    })

    it('continue after the last message, when the connection breaks and when another screen subscribes', async () => {
      const opened = stubConnections()
      const { queries, counter } = showFigures([() => 1])
      const unsubscribe = subscribeToUpdates(queries, liveUpdateRules)
      opened[0]?.deliver('open', { isResumed: true }, 'p1')
      opened[0]?.deliver('change', { kind: 'appointments' }, 'p2')
      opened[0]?.deliver('heartbeat', {}, 'p3')
      opened[0]?.dispatchEvent(new Event('error'))
      await vi.advanceTimersByTimeAsync(5_000)
      expect(opened.map(({ url }) => url)).toEqual(['/api/changes', '/api/changes?since=p3'])
      opened[1]?.deliver('open', { isResumed: true }, 'p4')
      await vi.advanceTimersByTimeAsync(1_000)
      expect(counter.requests).toBe(1)
      unsubscribe()
      subscribeToUpdates(queries, liveUpdateRules)()
      expect(opened.at(-1)?.url).toBe('/api/changes?since=p4')
    })

    it('begin before a change that the window has not fetched yet', async () => {
      const opened = stubConnections()
      const { queries } = showFigures([fail(503)])
      const unsubscribe = subscribeToUpdates(queries, liveUpdateRules)
      opened[0]?.deliver('open', { isResumed: true }, 'p1')
      opened[0]?.deliver('change', { kind: 'appointments' }, 'p2')
      subscribeToUpdates(queries, liveUpdateRules)()
      expect(opened.at(-1)?.url).toBe('/api/changes?since=p1')
      await vi.advanceTimersByTimeAsync(10_000)
      subscribeToUpdates(queries, liveUpdateRules)()
      expect(opened.at(-1)?.url).toBe('/api/changes?since=p1')
      unsubscribe()
    })

    it('are replaced by refetches every four seconds while no connection opens', async () => {
      const opened = stubConnections()
      const { queries, counter } = showFigures([() => 1])
      const unsubscribe = subscribeToUpdates(queries, liveUpdateRules)
      await vi.advanceTimersByTimeAsync(9_000)
      expect(counter.requests).toBe(2)
      opened[0]?.dispatchEvent(new Event('error'))
      await vi.advanceTimersByTimeAsync(1_000)
      expect(counter.requests).toBe(3)
      await vi.advanceTimersByTimeAsync(4_000)
      opened[1]?.deliver('open', { isResumed: true })
      await vi.advanceTimersByTimeAsync(20_000)
      expect(counter.requests).toBe(3)
      unsubscribe()
    })

    it('are fetched again after a refetch failed', async () => {
      const opened = stubConnections()
      const { queries, counter } = showFigures([fail(503), () => 1])
      const unsubscribe = subscribeToUpdates(queries, liveUpdateRules)
      opened[0]?.deliver('open', { isResumed: true })
      opened[0]?.dispatchEvent(new MessageEvent('change', { data: JSON.stringify({ kind: 'appointments' }) }))
      await vi.advanceTimersByTimeAsync(10_000)
      expect(counter.requests).toBe(2)
      expect(queries.getQueryData(['dashboard', 'stats'])).toBe(1)
      unsubscribe()
    })
  })
})
