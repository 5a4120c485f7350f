import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { ApiProblem } from '#web/api/call.ts'
import { setScreenLocked } from '#web/api/screen-lock.ts'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'
import { leaveWhenSessionEnds } from '#web/shell/leave-when-session-ends.ts'

afterEach(() => vi.unstubAllGlobals())

const problem = { type: 'about:blank', title: 'Signed out', status: 401, code: 'signed-out', message: '', errors: [] }
const refuse = () => Promise.reject(new ApiProblem(problem))

function watch() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const onEnded = vi.fn<() => void>()
  leaveWhenSessionEnds(queries, onEnded)
  const setUser = (user: object | null) => queries.setQueryData(currentUserQuery.queryKey, user as never)
  const fetch = (queryFn: () => Promise<unknown>) =>
    queries.fetchQuery({ queryKey: ['fees'], queryFn }).catch(() => undefined)
  return { queries, onEnded, setUser, fetch }
}

const showForm = (form: object | null) =>
  vi.stubGlobal('document', { querySelector: () => form, body: { toggleAttribute: () => undefined } })

it('the screen is left when a request finds the session ended', async () => {
  const { queries, onEnded, setUser, fetch } = watch()
  showForm(null)
  setUser({})
  await fetch(refuse)
  expect(onEnded).toHaveBeenCalledOnce()
  expect(queries.getQueryData(currentUserQuery.queryKey)).toBeNull()
})

it('the screen stays while a form is open, and when its user has signed in again', async () => {
  const { onEnded, setUser, fetch } = watch()
  showForm({})
  setUser({})
  await fetch(refuse)
  showForm(null)
  // A refetch begins with the old error.
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const refetched = fetch(() => promise)
  resolve([])
  await refetched
  expect(onEnded).not.toHaveBeenCalled()
})

it('a locked window stays as it is', async () => {
  const { queries, onEnded, setUser, fetch } = watch()
  showForm(null)
  setUser({})
  setScreenLocked(true)
  await fetch(refuse)
  setScreenLocked(false)
  expect(onEnded).not.toHaveBeenCalled()
  expect(queries.getQueryData(currentUserQuery.queryKey)).toEqual({})
})
