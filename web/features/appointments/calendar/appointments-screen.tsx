import { BuildingPeopleRegular } from '@fluentui/react-icons'
import { useNavigate } from '@tanstack/react-router'
import { errorMessage } from '#web/api/call.ts'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Page } from '#web/ui/page.tsx'
import { DaySkeleton } from '../day/day-skeleton.tsx'
import { Schedule } from './schedule.tsx'
import { useSchedulingContext } from '../use-scheduling-context.ts'

const title = 'Appointment Management'

/** The working day: who comes when, who is waiting, what is free. */
export function AppointmentsScreen() {
  const practiceId = useCurrentUser()?.practiceId
  const navigate = useNavigate()
  if (practiceId) return <OfPractice practiceId={practiceId} />
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

function OfPractice({ practiceId }: { practiceId: string }) {
  const { desk, error, retry } = useSchedulingContext(practiceId)
  if (desk) return <Schedule title={title} desk={desk} />
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
