import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'
import { type LoadFirst, loadFirstData } from '#web/shell/first-data.ts'
import { user } from '#tests/web/entities/accounts/sample-user.ts'

const practiceId = '00000000-0000-4000-8000-000000000001'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function openWindow({ early = true, search = '', ofPractice = true } = {}) {
  const byUrl = new Map(early ? [['/api/providers', Promise.resolve(Response.json([]))]] : [])
  vi.stubGlobal('window', { earlyReplies: { startedAt: Date.now(), byUrl }, location: { search } })
  const queries = new QueryClient()
  queries.setQueryData(currentUserQuery.queryKey, { ...user, practiceId: ofPractice ? practiceId : null } as never)
  return queries
}

it('is loaded before the first screen is rendered', async () => {
  const loaded: string[] = []
  await loadFirstData(openWindow(), () =>
    Promise.resolve(async (_queries, _user, practice) => {
      await Promise.resolve()
      loaded.push(practice)
    }),
  )
  expect(loaded).toEqual([practiceId])
})

it.each([
  ['of a later screen', { early: false }],
  ['of an address that says more about its screen', { search: '?search=Liu' }],
  ['of a user without a practice', { ofPractice: false }],
])('leaves that %s to the screen', async (_, options) => {
  const load = vi.fn<LoadFirst>(() => Promise.resolve())
  await loadFirstData(openWindow(options), () => Promise.resolve(load))
  expect(load).not.toHaveBeenCalled()
})

it('does not keep the screen from appearing when a reply is late or fails', async () => {
  vi.useFakeTimers()
  const shown = loadFirstData(openWindow(), () => Promise.resolve(() => new Promise(() => undefined))).then(
    () => 'shown',
  )
  await vi.advanceTimersByTimeAsync(100)
  expect(await shown).toBe('shown')
  const load = () => Promise.reject(new Error('The server is busy'))
  await expect(loadFirstData(openWindow(), () => Promise.resolve(load))).resolves.toBeUndefined()
})
