import { useQuery } from '@tanstack/react-query'
import type { Practice } from '#contracts/practices.ts'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { practiceQuery } from '#web/entities/practices/practice-query.ts'

/** Returns what the practice sets for each appointment type; undefined while it is loading, and for users without a practice. */
export function useAppointmentTypes(): Practice['settings']['appointmentTypes'] | undefined {
  const practiceId = useCurrentUser()?.practiceId ?? null
  const { data } = useQuery({ ...practiceQuery(practiceId ?? ''), enabled: practiceId !== null })
  return data?.settings.appointmentTypes
}
