import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import type { SchedulingContext } from './scheduling-context.ts'

/** Returns the provider of a new appointment: the given one, else the user as a provider, else the first one. */
export function useDefaultProviderId({ activeProviders }: SchedulingContext, preferred: string | undefined): string {
  const user = useCurrentUser()
  const provider = activeProviders.find(({ userId }) => userId === user?.id) ?? activeProviders[0]
  return preferred ?? provider?.id ?? ''
}
