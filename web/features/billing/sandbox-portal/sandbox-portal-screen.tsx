import { makeStyles, Skeleton, SkeletonItem, Text, tokens } from '@fluentui/react-components'
import { BeakerRegular } from '@fluentui/react-icons/svg/beaker'
import { LockClosedRegular } from '@fluentui/react-icons/svg/lock-closed'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Page } from '#web/ui/page.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { subscriptionStatusQuery } from '#web/entities/billing/subscription.ts'
import { sandboxPortalQuery } from '../manage/manage-api.ts'
import { PortalCard, PortalSubscription } from './portal-card.tsx'
import { TestClock } from './test-clock.tsx'
import { PortalInvoices } from './portal-invoices.tsx'

const useStyles = makeStyles({
  page: { maxWidth: '960px', display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', rowGap: '16px' },
  twoColumns: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
    columnGap: '16px',
    rowGap: '16px',
    alignItems: 'stretch',
    '@media (max-width: 1023px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  surface: {
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
  },
  lines: { display: 'grid', rowGap: '16px', padding: '4px 0 8px' },
  line: { height: '40px' },
})

/** `/billing-portal`: the sandbox's stand-in for the payment provider's billing portal. */
export function SandboxPortalScreen() {
  const styles = useStyles()
  const user = useCurrentUser()
  if (!user) return null
  return (
    <Page title="Billing Portal" subtitle="Card, invoices and subscription">
      <div className={styles.page}>
        <Notice tone="neutral" icon={BeakerRegular} title="Sandbox: no real card is charged">
          <Text>In production, your payment provider’s own page opens here.</Text>
        </Notice>
        {user.permissions.includes('settings') ? (
          <Content isOwner={user.isOwner} />
        ) : (
          <Notice tone="neutral" icon={LockClosedRegular} title="Billing is for the owner and administrators">
            <Text>Ask one of them to make changes.</Text>
          </Notice>
        )}
      </div>
    </Page>
  )
}

function Content({ isOwner }: { isOwner: boolean }) {
  const styles = useStyles()
  const navigate = useNavigate()
  const portal = useQuery(sandboxPortalQuery)
  const status = useQuery(subscriptionStatusQuery)
  const hasNoPortal = portal.error instanceof ApiProblem && portal.error.status === 404
  if (hasNoPortal || status.data === null)
    return (
      <div className={styles.surface}>
        <EmptyState
          icon={BeakerRegular}
          title="No subscription yet"
          hint="Choose a plan first. Your card and invoices will appear here."
          action="View plans"
          onAction={() => void navigate({ to: '/subscription' })}
        />
      </div>
    )
  const error = portal.data && status.data ? null : (portal.error ?? status.error)
  if (error)
    return (
      <div className={styles.surface}>
        <ErrorState
          title="Your billing could not be loaded"
          hint={error instanceof ApiProblem ? error.detail : errorMessage(error)}
          onRetry={() => {
            void portal.refetch()
            void status.refetch()
          }}
        />
      </div>
    )
  if (!portal.data || !status.data) return <Loading />
  return (
    <>
      <div className={styles.twoColumns}>
        <PortalCard portal={portal.data} view={status.data} />
        <PortalSubscription view={status.data} />
      </div>
      <PortalInvoices invoices={portal.data.invoices} />
      {isOwner && <TestClock now={portal.data.now} />}
      <div>
        <LinkButton to="/manage-subscription">Back to your subscription</LinkButton>
      </div>
    </>
  )
}

function Loading() {
  const styles = useStyles()
  return (
    <Panel title="Card on file">
      <Skeleton aria-label="Loading your card and invoices" className={styles.lines}>
        <SkeletonItem className={styles.line} />
        <SkeletonItem className={styles.line} />
      </Skeleton>
    </Panel>
  )
}
