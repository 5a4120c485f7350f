import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { type Credentials, login, register, type Registration } from '#contracts/accounts.ts'
import { call } from '#web/api/call.ts'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'

/** Returns the mutation that signs in and caches the current user. */
export function useLogin() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: z.input<typeof Credentials>) => call(login, { body }),
    onSuccess: (user) => queries.setQueryData(currentUserQuery.queryKey, user),
  })
}

/** Returns the mutation that signs up; the server then starts a session. */
export const useRegister = () =>
  useMutation({ mutationFn: (body: z.input<typeof Registration>) => call(register, { body }) })
