import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, it } from 'vitest'
import type { CurrentUser } from '#contracts/accounts.ts'
import { beginSession } from '#web/entities/accounts/begin-session.ts'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'

const otherWindow = new BroadcastChannel('everchart-session')
afterEach(() => otherWindow.close())

it('caches the new user, nothing of the one before, and announces them to the other windows', async () => {
  const heard = new Promise<unknown>((resolve) => {
    otherWindow.addEventListener('message', ({ data }) => resolve(data), { once: true })
  })
  const queries = new QueryClient()
  queries.setQueryData(currentUserQuery.queryKey, { id: 'former' } as unknown as CurrentUser)
  queries.setQueryData(['patients', 'list'], [{ lastName: 'Hopper' }])

  beginSession(queries, { id: 'next', practiceId: 'harbor' } as unknown as CurrentUser)

  expect(
    queries
      .getQueryCache()
      .getAll()
      .map(({ queryKey }) => queryKey),
  ).toEqual([currentUserQuery.queryKey])
  expect(queries.getQueryData(currentUserQuery.queryKey)?.id).toBe('next')
  expect(await heard).toEqual({ kind: 'signed-in', userId: 'next', practiceId: 'harbor' })
})
