import { BuildingPeopleRegular } from '@fluentui/react-icons/svg/building-people'
import { useNavigate } from '@tanstack/react-router'
import { errorMessage } from '#web/api/call.ts'
import { useCurrentUser, useHasPermission } from '#web/entities/accounts/current-user.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { NotAllowed } from '#web/ui/not-allowed.tsx'
import { Page } from '#web/ui/page.tsx'
import { DaySkeleton } from '../day/day-skeleton.tsx'
import { Schedule } from './schedule.tsx'
import { useSchedulingContext } from '../use-scheduling-context.ts'

const title = 'Appointment Management'

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
