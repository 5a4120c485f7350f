import { BuildingPeopleRegular } from '@fluentui/react-icons/svg/building-people'
import type { QueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { CurrentUser } from '#contracts/accounts.ts'
import { toLocalDate } from '#contracts/values/calendar.ts'
import { errorMessage } from '#web/api/call.ts'
import { useCurrentUser, useHasPermission } from '#web/entities/accounts/current-user.ts'
import { practiceQuery } from '#web/entities/practices/practice-query.ts'
import { providersQuery } from '#web/entities/providers/providers.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { NotAllowed } from '#web/ui/not-allowed.tsx'
import { Page } from '#web/ui/page.tsx'
import { appointmentsQuery, busyDaysQuery } from '../api.ts'
import { DaySkeleton } from '../day/day-skeleton.tsx'
import { Schedule } from './schedule.tsx'
import { useSchedulingContext } from '../use-scheduling-context.ts'
import { workCalendarQuery } from '../work-calendar.ts'

const title = 'Appointment Management'

/** Loads the schedule of today. */
export async function loadToday(queries: QueryClient, user: CurrentUser, practiceId: string): Promise<unknown> {
  if (!user.permissions.includes('scheduling')) return
  const providers = queries.prefetchQuery(providersQuery)
  const { timezone: zone } = await queries.ensureQueryData(practiceQuery(practiceId))
  const today = toLocalDate(new Date(), zone)
  return await Promise.all([
    providers,
    queries.prefetchQuery(appointmentsQuery({ from: today, until: today, zone })),
    queries.prefetchQuery(workCalendarQuery(today)),
    queries.prefetchQuery(busyDaysQuery(today, zone)),
  ])
}

/** Screen of the working day: appointments, waiting room and free slots. */
export function AppointmentsScreen() {
  const practiceId = useCurrentUser()?.practiceId
  const canSchedule = useHasPermission('scheduling')
  const navigate = useNavigate()
  if (practiceId && !canSchedule)
    return (
      <Page title={title}>
        <NotAllowed title="Your role does not include appointments" hint="Ask the owner of the practice." />
      </Page>
    )
  if (practiceId) return <PracticeSchedule practiceId={practiceId} />
  return (
    <Page title={title}>
      <EmptyState
        icon={BuildingPeopleRegular}
        title="Set up your practice first"
        hint="Appointments belong to a practice. It takes two minutes."
        action="Set up your practice"
        onAction={() => void navigate({ to: '/onboarding' })}
      />
    </Page>
  )
}

function PracticeSchedule({ practiceId }: { practiceId: string }) {
  const { context, error, retry } = useSchedulingContext(practiceId)
  if (context) return <Schedule title={title} context={context} />
  return (
    <Page title={title}>
      {error ? (
        <ErrorState title="Failed to fetch appointments" hint={errorMessage(error)} onRetry={retry} />
      ) : (
        <DaySkeleton />
      )}
    </Page>
  )
}
