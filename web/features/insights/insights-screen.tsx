import { Button, makeStyles, Skeleton, SkeletonItem } from '@fluentui/react-components'
import { ArrowClockwiseRegular } from '@fluentui/react-icons/svg/arrow-clockwise'
import { CheckmarkCircleRegular } from '@fluentui/react-icons/svg/checkmark-circle'
import { LightbulbRegular } from '@fluentui/react-icons/svg/lightbulb'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { AiInsight } from '#contracts/insights.ts'
import { InsightType } from '#contracts/values/insights.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { GatedPage } from '#web/entities/billing/feature-gate.tsx'
import { insightsUnavailable } from '#web/entities/insights/labels.ts'
import { insightsQuery } from '#web/entities/insights/insights-query.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { HeaderAction } from '#web/ui/header-action.tsx'
import { NotAllowed } from '#web/ui/not-allowed.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Page } from '#web/ui/page.tsx'
import { useTableStyles } from '#web/ui/table-styles.ts'
import { Tab, TabList } from '#web/ui/tabs.tsx'
import { type Decision, insightUsageQuery, useDecideInsight } from './api.ts'
import { InsightCard } from './insight-card.tsx'
import { parseInsightsSearch } from './insights-search.ts'
import { SampleUsagePanel, UsagePanel } from './usage-panel.tsx'

const title = 'AI Insights'

const useStyles = makeStyles({
  scroll: { overflowX: 'auto' },
  grid: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) 304px',
    columnGap: '16px',
    rowGap: '12px',
    alignItems: 'start',
    '@media (max-width: 1151px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  main: { display: 'grid', rowGap: '12px', minWidth: 0 },
  list: { listStyleType: 'none', margin: 0, padding: 0, display: 'grid', rowGap: '12px' },
})

const tabs: readonly (readonly [type: InsightType | 'all', label: string])[] = [
  ['all', 'All'],
  ['alert', 'Alerts'],
  ['optimization', 'Optimizations'],
  ['recommendation', 'Recommendations'],
]

/** Screen of the insights about the practice: the list, decisions about it, and its use. */
export function InsightsScreen() {
  const mayRead = useHasPermission('ai')
  return (
    <GatedPage feature="ai-insights" title={title} demoPreview={<SampleUsagePanel />}>
      {mayRead ? (
        <Insights />
      ) : (
        <Page title={title}>
          <NotAllowed title="Your role does not include AI insights" hint="Ask the owner of the practice." />
        </Page>
      )}
    </GatedPage>
  )
}

/** The last decision, which can be taken back. */
type LastDecision = { insight: AiInsight; decision: Decision }

function Insights() {
  const styles = useStyles()
  const id = useId()
  const navigate = useNavigate()
  // Parsed again: the router keeps URL parameters that the route does not know.
  const { type = 'all' } = useSearch({ from: '/shell/ai-insights', select: parseInsightsSearch })
  const insights = useQuery(insightsQuery)
  const { refetch: refetchUsage } = useQuery(insightUsageQuery)
  const decide = useDecideInsight()
  const [last, setLast] = useState<LastDecision | null>(null)
  const refresh = () => void Promise.all([insights.refetch(), refetchUsage()])
  const show = (value: unknown) => {
    const chosen = InsightType.safeParse(value)
    void navigate({ to: '/ai-insights', search: chosen.success ? { type: chosen.data } : {}, replace: true })
  }
  return (
    <Page
      title={title}
      subtitle="Found in the practice's own records"
      action={
        <HeaderAction label="Refresh" icon={<ArrowClockwiseRegular />} appearance="secondary" onClick={refresh} />
      }
    >
      <div className={styles.scroll}>
        <TabList selectedValue={type} onTabSelect={(_, { value }) => show(value)} aria-label="Type of insight">
          {tabs.map(([value, label]) => (
            <Tab key={value} value={value} id={`${id}-${value}`} aria-controls={`${id}-panel`}>
              {label}
            </Tab>
          ))}
        </TabList>
      </div>
      <div className={styles.grid}>
        <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${type}`} className={styles.main}>
          {last && (
            <UndoNotice
              key={last.insight.id}
              last={last}
              onUndo={() =>
                decide.mutate(
                  { insight: last.insight, decision: { kind: 'reopen' } },
                  { onSuccess: () => setLast(null) },
                )
              }
            />
          )}
          {insights.isError ? (
            <Surface>
              <ErrorState {...insightsUnavailable} onRetry={refresh} />
            </Surface>
          ) : (
            <InsightList
              insights={insights.data}
              type={type}
              pendingId={decide.isPending ? decide.variables.insight.id : null}
              onRefresh={refresh}
              onDecide={(insight, decision) =>
                decide.mutate({ insight, decision }, { onSuccess: () => setLast({ insight, decision }) })
              }
            />
          )}
        </div>
        <UsagePanel />
      </div>
    </Page>
  )
}

type InsightListProps = {
  /** Undefined until they are loaded. */
  insights: readonly AiInsight[] | undefined
  type: InsightType | 'all'
  /** The insight that is being decided. */
  pendingId: string | null
  onRefresh: () => void
  onDecide: (insight: AiInsight, decision: Decision) => void
}

function InsightList({ insights, type, pendingId, onRefresh, onDecide }: InsightListProps) {
  const styles = useStyles()
  if (!insights)
    return (
      <Skeleton aria-label="Loading insights" className={styles.list}>
        {[1, 2, 3].map((row) => (
          <SkeletonItem key={row} size={128} />
        ))}
      </Skeleton>
    )
  const shown = insights.filter((insight) => type === 'all' || insight.type === type)
  if (insights.length === 0)
    return (
      <Surface>
        <EmptyState
          icon={LightbulbRegular}
          title="No AI insights available at the moment"
          action="Generate New Insights"
          onAction={onRefresh}
        />
      </Surface>
    )
  if (shown.length === 0)
    return (
      <Surface>
        <EmptyState icon={LightbulbRegular} title="No insights of this type" />
      </Surface>
    )
  return (
    <ul className={styles.list} aria-label="Insights">
      {shown.map((insight) => (
        <InsightCard
          key={insight.id}
          insight={insight}
          isPending={pendingId === insight.id}
          onDecide={(decision) => onDecide(insight, decision)}
        />
      ))}
    </ul>
  )
}

const Surface = ({ children }: { children: ReactNode }) => <div className={useTableStyles().surface}>{children}</div>

const decidedTitles: Record<Decision['kind'], string> = {
  dismiss: 'Insight dismissed',
  snooze: 'Insight snoozed',
  done: 'Insight marked as done',
  reopen: 'Insight restored',
}

/** Says what was decided last, and takes it back. The keyboard focus goes to it from the card that is gone. */
function UndoNotice({ last: { insight, decision }, onUndo }: { last: LastDecision; onUndo: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  return (
    <Notice
      tone="neutral"
      role="status"
      icon={CheckmarkCircleRegular}
      title={decidedTitles[decision.kind]}
      actions={
        <Button size="small" onClick={onUndo} ref={button}>
          Undo
        </Button>
      }
    >
      {insight.title}
    </Notice>
  )
}
