import { makeStyles, tokens } from '@fluentui/react-components'
import { HourglassRegular } from '@fluentui/react-icons/svg/hourglass'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Page } from '#web/ui/page.tsx'
import { getScreenTitle } from './screen-titles.ts'

const useStyles = makeStyles({
  surface: {
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
  },
})

/** The parts of future screens that the dashboard shows already. */
const alternatives: Record<string, string> = {
  '/analytics': 'The dashboard shows appointments, revenue and trends, with the records behind every figure.',
}

const getAlternative = (path: string) =>
  alternatives[path.replace(/(?<=.)\/$/, '')] ??
  'This screen is still being built. Patients, appointments, the dashboard, plans and settings work.'

/** Placeholder for future screens, with a link to what is available. */
export function ComingSoonScreen() {
  const styles = useStyles()
  const navigate = useNavigate()
  const hasPractice = useCurrentUser()?.practiceId != null
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <Page title={getScreenTitle(path)}>
      <div className={styles.surface}>
        <EmptyState
          icon={HourglassRegular}
          title="Not available yet"
          hint={getAlternative(path)}
          action={hasPractice ? 'Open the dashboard' : 'Set up your practice'}
          onAction={() => void navigate({ to: hasPractice ? '/dashboard' : '/onboarding' })}
        />
      </div>
    </Page>
  )
}
