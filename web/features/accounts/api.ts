import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { type Credentials, login, register, type Registration } from '#contracts/accounts.ts'
import { call } from '#web/api/call.ts'
import { beginSession } from '#web/entities/accounts/begin-session.ts'

/** Returns the mutation that signs in and caches the current user. */
export function useLogin() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: z.input<typeof Credentials>) => call(login, { body }),
    onSuccess: (user) => beginSession(queries, user),
  })
}

/** Returns the mutation that signs up; the server then starts a session. */
export function useRegister() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: z.input<typeof Registration>) => call(register, { body }),
    onSuccess: (user) => beginSession(queries, user),
  })
}
