import { ArrowDownloadRegular } from '@fluentui/react-icons/svg/arrow-download'
import { PrintRegular } from '@fluentui/react-icons/svg/print'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { toLocalDate } from '#contracts/values/calendar.ts'
import { checkFeatureAccess, showsSampleData } from '#contracts/values/tiers.ts'
import { errorMessage } from '#web/api/call.ts'
import { useCurrentUser, useHasPermission } from '#web/entities/accounts/current-user.ts'
import { FeatureGate } from '#web/entities/billing/feature-gate.tsx'
import { practiceQuery } from '#web/entities/practices/practice-query.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { HeaderAction } from '#web/ui/header-action.tsx'
import { LoadingScreen } from '#web/ui/loading-screen.tsx'
import { NotAllowed } from '#web/ui/not-allowed.tsx'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import { providersQuery } from '#web/entities/providers/providers.ts'
import { Page } from '#web/ui/page.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { useNow } from '#web/ui/use-now.ts'
import { toAnalyticsModel } from './analytics-model.ts'
import { analyticsPeriods, findDays, formatDays } from './analytics-period.ts'
import { type AnalyticsSearch, parseAnalyticsSearch } from './analytics-search.ts'
import { AnalyticsView } from './analytics-view.tsx'
import { analyticsQuery, useExport } from './api.ts'
import { BreakdownPanels } from './breakdown-panels.tsx'
import { PeriodBar } from './period-bar.tsx'
import { RecordsDrawer } from './records-drawer.tsx'
import { SampleAnalytics } from './sample-analytics.tsx'

const title = 'Practice Analytics'

/** Screen of the practice's figures in a period. Demo users see the fixed figures of the sample practice. */
export function AnalyticsScreen() {
  const user = useCurrentUser()
  const mayOpen = useHasPermission('scheduling')
  const practice = useQuery({ ...practiceQuery(user?.practiceId ?? ''), enabled: mayOpen && user?.practiceId != null })
  if (!user || showsSampleData(user)) return <SampleAnalytics title={title} />
  if (!mayOpen)
    return (
      <Page title={title}>
        <NotAllowed title="Your role does not include analytics" hint="Ask the owner of the practice." />
      </Page>
    )
  if (practice.error)
    return (
      <Page title={title}>
        <ErrorState
          title="Unable to load the practice"
          hint={errorMessage(practice.error)}
          onRetry={() => void practice.refetch()}
        />
      </Page>
    )
  return practice.data ? <PracticeAnalytics zone={practice.data.timezone} /> : <LoadingScreen />
}

function PracticeAnalytics({ zone }: { zone: string }) {
  // Parsed again: the router keeps URL parameters that the route does not know.
  const search = useSearch({ from: '/shell/analytics', select: parseAnalyticsSearch })
  const navigate = useNavigate()
  const today = toLocalDate(useNow(60_000), zone)
  const user = useCurrentUser()
  const hasBreakdowns = user && checkFeatureAccess(user, 'advanced-analytics') === 'open'
  const { period = '3months', provider, type } = search
  const days =
    period === 'custom' && search.from !== undefined && search.to !== undefined
      ? { from: search.from, to: search.to }
      : findDays(period === 'custom' ? '3months' : period, today)
  const query = { ...days, provider, type }
  const { data: providers = [] } = useQuery(providersQuery)
  const providerName = providers.find(({ id }) => id === provider)?.name
  const choice = [providerName, type && appointmentTypeLabels[type]].filter(Boolean).join(', ') || 'this choice'
  const { data, error, refetch } = useQuery({ ...analyticsQuery(query), placeholderData: keepPreviousData })
  const show = (next: AnalyticsSearch) => void navigate({ to: '/analytics', search: next, replace: true })
  const figure = data?.figures.find(({ key }) => key === search.records)
  const closeRecords = () => {
    const { records: _, ...rest } = search
    show(rest)
  }
  return (
    <Page
      title={title}
      subtitle={`${formatDays(days)}, compared with the ${describeLength(period, data?.period.days)} before`}
      action={
        <>
          <PrintAction />
          <ExportAction query={query} />
        </>
      }
    >
      <PeriodBar
        period={period}
        days={days}
        provider={provider}
        type={type}
        onPeriod={(chosen, range) => {
          const { from: _, to: __, records: ___, ...rest } = search
          show({ ...rest, period: chosen, ...(chosen === 'custom' ? range : {}) })
        }}
        onFilter={(filter) => {
          const { provider: _, type: __, records: ___, ...rest } = search
          show({ ...rest, ...filter })
        }}
      />
      {error && !data ? (
        <ErrorState title="Unable to load the figures" hint={errorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <>
          {(provider ?? type) && (
            <SecondaryText>{`Only appointments and revenue are limited to ${choice}.`}</SecondaryText>
          )}
          <AnalyticsView
            model={data && toAnalyticsModel(data)}
            onOpen={(key) => void navigate({ to: '/analytics', search: { ...search, records: key } })}
          >
            <FeatureGate feature="advanced-analytics">
              <BreakdownPanels query={query} place="beside" />
            </FeatureGate>
          </AnalyticsView>
          {hasBreakdowns && <BreakdownPanels query={query} place="below" />}
        </>
      )}
      <RecordsDrawer figure={figure} query={query} days={formatDays(days)} zone={zone} onClose={closeRecords} />
    </Page>
  )
}

/** Periods that are a number of days or months; the others are compared with as many days before. */
const lengths = new Set<keyof typeof analyticsPeriods>(['7days', '30days', '3months', '12months'])

function describeLength(period: keyof typeof analyticsPeriods, days: number | undefined): string {
  if (lengths.has(period)) return analyticsPeriods[period]
  return days === undefined ? 'period' : days === 1 ? 'day' : `${days} days`
}

/** Button that prints what is shown; the tables of the charts can be shown before. */
const PrintAction = () => (
  <HeaderAction label="Print" icon={<PrintRegular />} appearance="secondary" onClick={() => window.print()} />
)

/** Button that downloads the figures as CSV, for users who may see money. */
function ExportAction({ query }: { query: Parameters<ReturnType<typeof useExport>['mutate']>[0] }) {
  const mayExport = useHasPermission('billing')
  const notify = useNotify()
  const download = useExport()
  if (!mayExport) return null
  const run = () =>
    download.mutate(query, {
      onError: (error) => notify({ title: 'Failed to export', body: errorMessage(error), intent: 'error' }),
    })
  return <HeaderAction label="Export" icon={<ArrowDownloadRegular />} appearance="secondary" onClick={run} />
}
