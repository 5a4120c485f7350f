import { Badge, Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { ChatRegular } from '@fluentui/react-icons/svg/chat'
import { DatabaseRegular } from '@fluentui/react-icons/svg/database'
import { LockClosedRegular } from '@fluentui/react-icons/svg/lock-closed'
import { MailRegular } from '@fluentui/react-icons/svg/mail'
import { PaymentRegular } from '@fluentui/react-icons/svg/payment'
import { ShieldCheckmarkRegular } from '@fluentui/react-icons/svg/shield-checkmark'
import { SparkleRegular } from '@fluentui/react-icons/svg/sparkle'
import { WarningFilled } from '@fluentui/react-icons/svg/warning'
import type { FluentIcon } from '@fluentui/react-icons'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import type { Integration, IntegrationName, IntegrationTest } from '#contracts/integrations.ts'
import { sampleIntegrations } from '#contracts/sample-practice.ts'
import { showsSampleData } from '#contracts/values/tiers.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { useCurrentUser, useHasPermission } from '#web/entities/accounts/current-user.ts'
import { Notice } from '#web/ui/notice.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { useNow } from '#web/ui/use-now.ts'
import { LoadedSection } from '../sections/section-state.tsx'
import { integrationsQuery, useTestIntegration } from './integrations-api.ts'
import { describeError, describeState, formatHoursAgo, integrationBadges, integrationLabels } from './labels.ts'

const useStyles = makeStyles({
  grid: {
    display: 'grid',
    gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
    gap: '16px',
    '@media (max-width: 1023px)': { gridTemplateColumns: 'minmax(0, 1fr)', gap: '12px' },
  },
  card: {
    display: 'grid',
    alignContent: 'start',
    rowGap: '12px',
    padding: '16px 20px',
    minWidth: 0,
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
  },
  head: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '8px 12px' },
  icon: {
    display: 'grid',
    placeItems: 'center',
    width: '40px',
    height: '40px',
    fontSize: '20px',
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorNeutralBackground3,
  },
  names: { display: 'grid', flex: '1 1 120px', minWidth: 0 },
  title: { margin: 0, fontSize: tokens.fontSizeBase300, lineHeight: tokens.lineHeightBase300 },
  warning: { display: 'flex', columnGap: '8px', alignItems: 'center', color: tokens.colorStatusWarningForeground1 },
  foot: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: '8px 16px',
    alignItems: 'center',
    justifyContent: 'space-between',
    minHeight: '32px',
  },
  calls: { display: 'grid', overflowWrap: 'anywhere', minWidth: 0 },
})

const icons: Record<IntegrationName, FluentIcon> = {
  ai: SparkleRegular,
  payments: PaymentRegular,
  email: MailRegular,
  sms: ChatRegular,
  clearinghouse: ShieldCheckmarkRegular,
  database: DatabaseRegular,
}

/** Tab "Integrations": the state of the services outside of Everchart; the demo shows the sample's. */
export function IntegrationsTab() {
  const user = useCurrentUser()
  const canView = useHasPermission('settings')
  const isDemo = !user || showsSampleData(user)
  const query = useQuery({ ...integrationsQuery, enabled: canView && !isDemo })
  if (isDemo) return <SampleIntegrations />
  if (!canView)
    return (
      <Notice tone="neutral" icon={LockClosedRegular} title="Integrations are for the owner and administrators">
        Ask one of them whether a service works.
      </Notice>
    )
  return (
    <LoadedSection query={query} subject="The integrations" loadingSubject="the integrations" rows={4}>
      {({ items }) => <IntegrationCards items={items} />}
    </LoadedSection>
  )
}

function SampleIntegrations() {
  const styles = useStyles()
  return (
    <div className={styles.grid}>
      {sampleIntegrations.map((integration) => (
        <IntegrationCard key={integration.name} integration={integration}>
          <Badge appearance="outline" color="informative">
            Demo
          </Badge>
        </IntegrationCard>
      ))}
    </div>
  )
}

function IntegrationCards({ items }: { items: readonly Integration[] }) {
  const styles = useStyles()
  return (
    <div className={styles.grid}>
      {items.map((integration) => (
        <IntegrationCard key={integration.name} integration={integration}>
          {(integration.canTest || integration.lastSuccessAt !== null || integration.lastError !== null) && (
            <LastCalls integration={integration} />
          )}
          {integration.canTest && <TestButton name={integration.name} />}
        </IntegrationCard>
      ))}
    </div>
  )
}

type IntegrationCardProps = { integration: Pick<Integration, 'name' | 'status'>; children: ReactNode }

function IntegrationCard({ integration, children }: IntegrationCardProps) {
  const styles = useStyles()
  const id = useId()
  const { name, status } = integration
  const { title, purpose } = integrationLabels[name]
  const Icon = icons[name]
  const needsAttention = status === 'rate_limited' || status === 'error'
  return (
    <section className={styles.card} aria-labelledby={id}>
      <div className={styles.head}>
        <span className={styles.icon} aria-hidden>
          <Icon />
        </span>
        <span className={styles.names}>
          <Text as="h2" id={id} weight="semibold" className={styles.title}>
            {title}
          </Text>
          <SecondaryText>{purpose}</SecondaryText>
        </span>
        <StatusBadge {...integrationBadges[status]} />
      </div>
      {needsAttention ? (
        <Text className={styles.warning}>
          <WarningFilled aria-hidden />
          {describeState(integration)}
        </Text>
      ) : (
        <Text>{describeState(integration)}</Text>
      )}
      {children && <div className={styles.foot}>{children}</div>}
    </section>
  )
}

/** The last success and the last error, as far as there were any. */
function LastCalls({ integration: { lastSuccessAt, lastError } }: { integration: Integration }) {
  const styles = useStyles()
  const now = useNow(60_000)
  return (
    <span className={styles.calls}>
      {lastSuccessAt && <SecondaryText>Last success {formatHoursAgo(lastSuccessAt, now)}</SecondaryText>}
      {lastError && (
        <SecondaryText>
          Last error {formatHoursAgo(lastError.at, now)}: {describeError(lastError.code)}
        </SecondaryText>
      )}
    </span>
  )
}

function TestButton({ name }: { name: IntegrationName }) {
  const test = useTestIntegration()
  const { title } = integrationLabels[name]
  return (
    <>
      <span role="status">
        <SecondaryText>{describeTest(test)}</SecondaryText>
      </span>
      <Button
        aria-label={`Test the ${title}`}
        disabledFocusable={test.isPending}
        onClick={() => test.isPending || test.mutate(name)}
      >
        {test.isPending ? 'Testing...' : 'Test'}
      </Button>
    </>
  )
}

/** Describes the outcome of the test that was started last. */
function describeTest({ data, error }: { data: IntegrationTest | undefined; error: Error | null }): string {
  if (error) return error instanceof ApiProblem ? error.detail : errorMessage(error)
  if (!data) return ''
  return data.error === null ? `It works: answered in ${data.durationMs} ms` : `Failed: ${describeError(data.error)}`
}
