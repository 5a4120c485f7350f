import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import type { ProviderId } from '#contracts/values/ids.ts'
import type { SchedulingContext } from './scheduling-context.ts'

/** Returns the provider of a new appointment: the given one, else the user as a provider, else the first one. */
export function useDefaultProviderId({ activeProviders }: SchedulingContext, preferred: string | undefined): string {
  const user = useCurrentUser()
  const provider = activeProviders.find(({ userId }) => userId === user?.id) ?? activeProviders[0]
  return preferred ?? provider?.id ?? ''
}

/** Returns the provider that the user is, whose schedule the calendar opens on; undefined where there are no others. */
export function useOwnProviderId({ activeProviders }: SchedulingContext): ProviderId | undefined {
  const user = useCurrentUser()
  return activeProviders.length > 1 ? activeProviders.find(({ userId }) => userId === user?.id)?.id : undefined
}
