import type { WaitlistEntry } from '#contracts/waitlist.ts'
import { errorMessage } from '#web/api/call.ts'
import { formatName } from '#web/ui/format.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { useRemoveFromWaitlist } from './waitlist-api.ts'

/** Returns the function that removes an entry and says so; `onRemoved` is called afterwards. */
export function useRemoveEntry() {
  const notify = useNotify()
  const { mutate, isPending } = useRemoveFromWaitlist()
  const remove = ({ id, patient }: Pick<WaitlistEntry, 'id' | 'patient'>, onRemoved?: () => void) =>
    mutate(id, {
      onSuccess: () => {
        notify({ title: 'Removed from the waitlist', body: formatName(patient) })
        onRemoved?.()
      },
      onError: (error) =>
        notify({ title: 'Failed to change the waitlist', body: errorMessage(error), intent: 'error' }),
    })
  return { remove, isPending }
}
