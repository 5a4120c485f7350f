import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Reply, RequestInput } from '#contracts/endpoint.ts'
import { addPasskey, beginPasskey, listPasskeys, removePasskey } from '#contracts/passkeys.ts'
import { call } from '#web/api/call.ts'
import { refreshCurrentUser } from '#web/entities/accounts/current-user.ts'
import { createPasskey } from '#web/entities/accounts/passkey-ceremony.ts'
import { practiceKeys } from '#web/entities/practices/practice-keys.ts'
import { sessionsQuery } from './security-api.ts'

/** Query for the passkeys of the user; fetched again whenever the tab is opened. */
export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: async ({ signal }) => (await call(listPasskeys, {}, signal)).items,
  staleTime: 0,
})

type NewPasskey = RequestInput<typeof beginPasskey>['body'] & { name: string }

/** Returns the mutations of the user's passkeys. Nothing of them is kept in the cache after the screen is left. */
export function usePasskeys() {
  const queries = useQueryClient()
  const begun = useRef<{ secrets: string; reply: Reply<typeof beginPasskey> } | null>(null)
  // Also after a failure: the reply may be lost, or another window may have changed it.
  const onSettled = async () => {
    void queries.invalidateQueries({ queryKey: practiceKeys.safeguards })
    // Where the practice requires a second factor, the first passkey ends the other sessions.
    void queries.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    await Promise.all([refreshCurrentUser(queries), queries.invalidateQueries({ queryKey: passkeysQuery.queryKey })])
  }
  return {
    add: useMutation({
      mutationFn: async ({ name, ...secrets }: NewPasskey) => {
        const key = JSON.stringify(secrets)
        // After a cancelled request to the device the same code would be refused: it was used.
        if (begun.current?.secrets !== key)
          begun.current = { secrets: key, reply: await call(beginPasskey, { body: secrets }) }
        const { challengeId, options } = begun.current.reply
        const credential = await createPasskey(options)
        begun.current = null
        return await call(addPasskey, { body: { challengeId, name, credential } })
      },
      onSettled,
      gcTime: 0,
    }),
    remove: useMutation({
      mutationFn: ({ passkeyId, password }: { passkeyId: string; password: string }) =>
        call(removePasskey, { params: { passkeyId }, body: { password } }),
      onSettled,
      gcTime: 0,
    }),
  }
}
