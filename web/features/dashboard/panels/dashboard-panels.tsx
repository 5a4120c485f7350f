import { Badge, Button, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components'
import { CalendarAddRegular } from '@fluentui/react-icons/svg/calendar-add'
import type { FluentIcon } from '@fluentui/react-icons'
import { LightbulbRegular } from '@fluentui/react-icons/svg/lightbulb'
import { PeopleRegular } from '@fluentui/react-icons/svg/people'
import { PersonAddRegular } from '@fluentui/react-icons/svg/person-add'
import { ShieldCheckmarkRegular } from '@fluentui/react-icons/svg/shield-checkmark'
import { SparkleRegular } from '@fluentui/react-icons/svg/sparkle'
import { insightIcons, insightsUnavailable, priorityLabels } from '#web/entities/insights/labels.ts'
import { UpgradeButton } from '#web/entities/billing/upgrade-button.tsx'
import { formatTimeAgo } from '#web/ui/dates.ts'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { RowLink } from '#web/ui/row-link.tsx'
import { Person } from '#web/ui/person.tsx'
import type { Loadable } from './loadable.ts'
import type { ActivePatient, Insight } from '../dashboard-model.ts'
import { PanelEmpty, LoadablePanel } from './loadable-panel.tsx'
import { useAccountNeeded } from '../demo/account-needed-context.ts'

const useStyles = makeStyles({
  list: { listStyleType: 'none', margin: 0, padding: '0 20px 16px', display: 'flex', flexDirection: 'column' },
  person: {
    position: 'relative',
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    columnGap: tokens.spacingHorizontalS,
    minHeight: '50px',
  },
  line: { borderTop: `1px solid ${tokens.colorNeutralStroke3}` },
  insight: {
    position: 'relative',
    display: 'grid',
    gridTemplateColumns: '20px minmax(0, 1fr)',
    overflowWrap: 'anywhere',
    columnGap: tokens.spacingHorizontalM,
    padding: '10px 0',
  },
  kind: { color: tokens.colorNeutralForeground3, paddingTop: '1px' },
  alert: { color: tokens.colorStatusDangerForeground1 },
  text: { display: 'grid', rowGap: '2px' },
  secondary: {
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
  highPriority: { color: tokens.colorStatusDangerForeground1, fontWeight: tokens.fontWeightSemibold },
  upsell: {
    display: 'grid',
    justifyItems: 'start',
    rowGap: '8px',
    margin: '0 20px 20px',
    padding: '12px 16px',
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorNeutralBackground2,
  },
  actions: {
    display: 'grid',
    gridTemplateColumns: 'repeat(4, 1fr)',
    columnGap: tokens.spacingHorizontalM,
    rowGap: tokens.spacingVerticalM,
    '@media (max-width: 943px)': { gridTemplateColumns: '1fr 1fr' },
  },
  action: {
    justifyContent: 'flex-start',
    height: '48px',
    maxWidth: 'none',
    minWidth: 0,
    paddingLeft: '14px',
    fontWeight: tokens.fontWeightMedium,
  },
  actionIcon: { color: tokens.colorBrandForeground1 },
})

type RecentActivityProps = { patients: Loadable<readonly ActivePatient[]>; hasRecords: boolean; now: Date }

/** List of up to five patients whose records were changed last; a row opens the record. */
export function RecentActivity({ patients, hasRecords, now }: RecentActivityProps) {
  const styles = useStyles()
  return (
    <Panel title="Recent Patient Activity" flush>
      <LoadablePanel
        source={patients}
        loadingLabel="Loading patients"
        rows={5}
        errorTitle="Unable to load patient data"
      >
        {(people) =>
          people.length === 0 ? (
            <PanelEmpty icon={PeopleRegular} title="No recent patient activity" />
          ) : (
            <ul className={styles.list}>
              {people.map(({ id, name, at, isSample }, index) => (
                <li
                  key={id}
                  className={mergeClasses(styles.person, index > 0 && styles.line)}
                  data-testid="patient-activity"
                >
                  <Person
                    name={name}
                    size={32}
                    detail={formatTimeAgo(at, now)}
                    {...(hasRecords
                      ? {
                          renderName: (label) => (
                            <RowLink to="/patients/$patientId" params={{ patientId: id }}>
                              {label}
                            </RowLink>
                          ),
                        }
                      : {})}
                  />
                  {isSample && (
                    <Badge appearance="outline" color="informative">
                      Demo
                    </Badge>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </LoadablePanel>
    </Panel>
  )
}

/** AI insights, each with a link to their screen. The demo shows samples, with the plan that real ones require. */
export function InsightsPanel({ insights, isDemo }: { insights: Loadable<readonly Insight[]>; isDemo: boolean }) {
  const styles = useStyles()
  const upgrade = (
    <UpgradeButton size="small" appearance="subtle" aria-label="Upgrade for AI insights">
      Upgrade
    </UpgradeButton>
  )
  return (
    <Panel title="AI Insights" flush action={isDemo ? upgrade : undefined}>
      <LoadablePanel
        source={insights}
        loadingLabel="Loading insights"
        rows={3}
        errorTitle={insightsUnavailable.title}
        hint={insightsUnavailable.hint}
      >
        {(found) => (found.length === 0 ? <NoInsights /> : <InsightList insights={found} isDemo={isDemo} />)}
      </LoadablePanel>
      {isDemo && (
        <div className={styles.upsell}>
          <Text weight="semibold">AI Insights Preview</Text>
          <Text className={styles.secondary}>
            These are samples. Insights for your own practice require the Professional plan.
          </Text>
          <UpgradeButton size="small" plan="professional">
            Upgrade for AI Features
          </UpgradeButton>
        </div>
      )}
    </Panel>
  )
}

const NoInsights = () => (
  <PanelEmpty
    icon={LightbulbRegular}
    title="No AI insights available"
    hint="AI insights will appear as patient data is analyzed"
  />
)

function InsightList({ insights, isDemo }: { insights: readonly Insight[]; isDemo: boolean }) {
  const styles = useStyles()
  return (
    <ul className={styles.list}>
      {insights.map(({ type, priority, title, message }, index) => {
        const Icon = insightIcons[type]
        return (
          <li key={title} className={mergeClasses(styles.insight, index > 0 && styles.line)} data-testid="demo-insight">
            <Icon className={mergeClasses(styles.kind, type === 'alert' && styles.alert)} aria-label={type} />
            <div className={styles.text}>
              <Text weight="semibold">{isDemo ? title : <RowLink to="/ai-insights">{title}</RowLink>}</Text>
              <Text className={styles.secondary}>{message}</Text>
              <Text className={mergeClasses(styles.secondary, priority === 'high' && styles.highPriority)}>
                {priorityLabels[priority]}
              </Text>
            </div>
          </li>
        )
      })}
    </ul>
  )
}

type QuickAction = {
  label: string
  icon: FluentIcon
  to: '/patients' | '/appointments' | '/under-development' | '/ai-insights' | '/insurance'
}

/** Returns the four quick actions; those that the demo lacks lead to the roadmap (spec). */
const getQuickActions = (isDemo: boolean): readonly QuickAction[] => [
  { label: 'Add Patient', icon: PersonAddRegular, to: '/patients' },
  { label: 'Schedule', icon: CalendarAddRegular, to: '/appointments' },
  { label: 'AI Analysis', icon: SparkleRegular, to: isDemo ? '/under-development' : '/ai-insights' },
  { label: 'Verify Insurance', icon: ShieldCheckmarkRegular, to: isDemo ? '/under-development' : '/insurance' },
]

/** Shortcuts to the most frequent actions. */
export function QuickActions({ isDemo, className }: { isDemo: boolean; className?: string | undefined }) {
  const styles = useStyles()
  const explainAccount = useAccountNeeded()
  return (
    <Panel title="Quick Actions" className={className}>
      <div className={styles.actions}>
        {getQuickActions(isDemo).map(({ label, icon: Icon, to }) =>
          explainAccount ? (
            <Button
              key={label}
              className={styles.action}
              icon={<Icon className={styles.actionIcon} />}
              onClick={() => explainAccount(label)}
            >
              {label}
            </Button>
          ) : (
            <LinkButton
              key={label}
              to={to}
              className={styles.action}
              icon={<Icon className={styles.actionIcon} />}
              {...(to === '/patients' || to === '/appointments' ? { search: { new: true } } : {})}
            >
              {label}
            </LinkButton>
          ),
        )}
      </div>
    </Panel>
  )
}
