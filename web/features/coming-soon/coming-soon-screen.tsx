import { makeStyles, tokens } from '@fluentui/react-components'
import { HourglassRegular } from '@fluentui/react-icons/svg/hourglass'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Page } from '#web/ui/page.tsx'
import { getScreenTitle } from './screen-titles.ts'

const useStyles = makeStyles({
  sheet: {
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
  },
})

/** One honest page for every screen that is still to come, with the way to what works already. */
export function ComingSoonScreen() {
  const styles = useStyles()
  const navigate = useNavigate()
  const settled = useCurrentUser()?.practiceId != null
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <Page title={getScreenTitle(path)}>
      <div className={styles.sheet}>
        <EmptyState
          icon={HourglassRegular}
          title="Coming in the next version"
          hint="Patients work today, with search and import."
          action={settled ? 'Open patients' : 'Set up your practice'}
          onAction={() => void navigate({ to: settled ? '/patients' : '/onboarding' })}
        />
      </div>
    </Page>
  )
}
