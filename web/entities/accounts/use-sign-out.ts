import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { errorMessage } from '#web/api/call.ts'
import { signOutKey } from '#web/api/session-channel.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { endSession, forgetUser } from './end-session.ts'

/** Returns the mutation that ends the session and clears all cached data of this window. */
export function useSignOut() {
  const queries = useQueryClient()
  const router = useRouter()
  const notify = useNotify()
  return useMutation({
    mutationKey: signOutKey,
    mutationFn: () => endSession(),
    onSuccess: async () => {
      await forgetUser(queries, () => router.navigate({ to: '/auth' }))
      notify({ title: 'Logged out', body: 'You have been successfully logged out.' })
    },
    onError: (error) => notify({ title: 'Logout failed', body: errorMessage(error), intent: 'error' }),
  })
}
