import { QueryClient } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'
import { onceSignedIn } from '#web/shell/once-signed-in.ts'
import { user } from '#tests/web/entities/accounts/sample-user.ts'

it('acts once, when a user is known, and not for visitors', () => {
  const queries = new QueryClient()
  const act = vi.fn<() => Promise<void>>(() => Promise.resolve())
  onceSignedIn(queries, act)
  queries.setQueryData(currentUserQuery.queryKey, null)
  queries.setQueryData(['patients'], [])
  expect(act).not.toHaveBeenCalled()
  queries.setQueryData(currentUserQuery.queryKey, user)
  queries.setQueryData(currentUserQuery.queryKey, null)
  queries.setQueryData(currentUserQuery.queryKey, user)
  expect(act).toHaveBeenCalledOnce()
  queries.clear()
})
