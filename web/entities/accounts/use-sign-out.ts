import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { logout } from '#contracts/accounts.ts'
import { call, errorMessage } from '#web/api/call.ts'
import { currentUserQuery } from './current-user.ts'
import { useNotify } from '#web/ui/toasts.tsx'

/** Returns the mutation that ends the session and clears all cached data of this window. */
export function useSignOut() {
  const queries = useQueryClient()
  const router = useRouter()
  const notify = useNotify()
  return useMutation({
    mutationFn: () => call(logout, {}),
    onSuccess: async () => {
      await queries.cancelQueries()
      queries.clear()
      queries.setQueryData(currentUserQuery.queryKey, null)
      sessionStorage.clear()
      notify({ title: 'Logged out', body: 'You have been successfully logged out.' })
      await router.navigate({ to: '/auth' })
    },
    onError: (error) => notify({ title: 'Logout failed', body: errorMessage(error), intent: 'error' }),
  })
}
