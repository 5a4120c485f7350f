import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { CurrentUser } from '#contracts/accounts.ts'
import { addPatient } from '#contracts/patients.ts'
import { call } from '#web/api/call.ts'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'
import { forgetUser } from '#web/entities/accounts/end-session.ts'
import { loadLastInput, saveLastInput } from '#web/api/last-input.ts'

const stored = new Map<string, string>()
const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
  clear: () => stored.clear(),
}
beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('sessionStorage', { ...storage, clear: () => undefined })
})
afterEach(() => vi.unstubAllGlobals())

it('forgets the cached data of the user and the contents of unconfirmed writes', async () => {
  const keys: (string | null)[] = []
  vi.stubGlobal('fetch', (_: string, { headers }: RequestInit) => {
    keys.push(new Headers(headers).get('idempotency-key'))
    return Promise.reject(new TypeError('Failed to fetch'))
  })
  const create = () => call(addPatient, { body: { firstName: 'Grace', lastName: 'Hopper' } }).catch(() => undefined)
  const queries = new QueryClient()
  queries.setQueryData(currentUserQuery.queryKey, { id: 'ada' } as unknown as CurrentUser)
  queries.setQueryData(['patients', 'list'], [{ lastName: 'Hopper' }])
  await create()
  await create()
  await forgetUser(queries, () => Promise.resolve())
  await create()
  expect(keys[1]).toBe(keys[0])
  expect(keys[2]).not.toBe(keys[0])
  expect(queries.getQueryData(['patients', 'list'])).toBeUndefined()
  expect(queries.getQueryData(currentUserQuery.queryKey)).toBeNull()
})

it('forgets when the user was last active', async () => {
  saveLastInput(1_000)
  expect(loadLastInput(1_000)).toBe(1_000)
  // The clock was set back.
  expect(loadLastInput(999)).toBe(0)
  await forgetUser(new QueryClient(), () => Promise.resolve())
  expect(stored.size).toBe(0)
})
