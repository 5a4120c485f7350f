import { toLocalDate, toLocalTime } from '#contracts/values/calendar.ts'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { TrendPeriod, TrendPoint } from '#contracts/dashboard.ts'
import type { Form } from '#contracts/forms.ts'
import { checkFeatureAccess } from '#contracts/values/tiers.ts'
import { insightsQuery } from '#web/entities/insights/insights-query.ts'
import { practiceQuery } from '#web/entities/practices/practice-query.ts'
import { showsSampleData } from '#contracts/values/tiers.ts'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Page } from '#web/ui/page.tsx'
import { useNow } from '#web/ui/use-now.ts'
import { getBrowserTimeZone } from '#web/ui/dates.ts'
import { dashboardStatsQuery } from '#web/entities/dashboard/stats-query.ts'
import {
  activePatientsQuery,
  recentFormsQuery,
  systemStatusQuery,
  todaysAppointmentsQuery,
  trendsQuery,
} from './api.ts'
import { DashboardView } from './dashboard-view.tsx'
import { DemoBanner } from './demo/demo-banner.tsx'
import { DemoPrompt } from './demo/demo-prompt.tsx'
import { createDemoFigures, createPracticeFigures, type Figure } from './figures/figures.ts'
import { GlobalSearch, QuickAddMenu } from './header-tools.tsx'
import { mapLoadable, toLoaded } from './panels/loadable.ts'
import type { Dashboard, RecentForm, Trend } from './dashboard-model.ts'
import {
  createDemoForms,
  demoInsights,
  demoSystem,
  demoTrends,
  createSampleDashboard,
} from './demo/sample-dashboard.ts'
import { toSystemState } from './panels/system-state.ts'
import { formatDateRange, refreshIntervalMs } from './format.ts'
import { formatName } from '#web/ui/format.ts'

/** Loads what the dashboard of a practice shows first. */
export const loadDashboard = (queries: QueryClient, user: CurrentUser, practiceId: string): Promise<unknown> =>
  Promise.all([
    queries.prefetchQuery(practiceQuery(practiceId)),
    queries.prefetchQuery(dashboardStatsQuery),
    !isReadOnlyFor(user) && queries.prefetchQuery(todaysAppointmentsQuery),
    queries.prefetchQuery(activePatientsQuery),
    queries.prefetchQuery(trendsQuery(firstPeriod)),
    queries.prefetchQuery(recentFormsQuery),
  ])

const firstPeriod: TrendPeriod = '7days'

/** Users who only read patients have nothing to open from the dashboard. */
const isReadOnlyFor = ({ permissions }: CurrentUser) =>
  !(['patients:write', 'scheduling'] as const).some((each) => permissions.includes(each))

/** Dashboard of the practice; users without a practice see the sample practice, read-only. */
export function DashboardScreen() {
  const user = useCurrentUser()
  if (!user) return null
  return user.practiceId === null ? (
    <SampleDashboardScreen user={user} />
  ) : (
    <PracticeDashboardScreen user={user} practiceId={user.practiceId} />
  )
}

/** Button for signed-in users who still see the sample practice. */
const setUpPracticeButton = (
  <LinkButton appearance="primary" to="/onboarding">
    Set up your practice
  </LinkButton>
)

function DashboardFrame({ user, dashboard }: { user: CurrentUser; dashboard: Dashboard }) {
  const { isDemo, isReadOnly } = dashboard
  return (
    <Page
      title="Dashboard Overview"
      subtitle={`Welcome back, ${user.firstName}`}
      search={<GlobalSearch isDemo={isDemo} />}
      action={!isReadOnly && <QuickAddMenu isDemo={isDemo} />}
    >
      <DashboardView
        dashboard={dashboard}
        banner={
          user.isDemoUser && (
            <DemoBanner hasLapsed={!isDemo} hasOpenInvoice={user.hasOpenInvoice}>
              {user.practiceId === null && setUpPracticeButton}
            </DemoBanner>
          )
        }
      />
      {isDemo && <DemoPrompt />}
    </Page>
  )
}

function SampleDashboardScreen({ user }: { user: CurrentUser }) {
  const now = useNow(refreshIntervalMs)
  const [period, setPeriod] = useState(firstPeriod)
  const zone = getBrowserTimeZone()
  const sample = createSampleDashboard(now, toLocalDate(now, zone), toLocalTime(now, zone))
  return <DashboardFrame user={user} dashboard={{ ...sample, period, onPeriod: setPeriod }} />
}

const toTrend = ({ from, to, scheduled, completed, cancelled }: TrendPoint): Trend => ({
  label: formatDateRange(from, to),
  scheduled,
  completed,
  cancelled,
  days: { from, to },
})

const toRecentForm = (
  { id, title, patientName, createdAt, status, analysisState }: Form,
  zone: string,
): RecentForm => ({
  id,
  title,
  name: patientName,
  day: toLocalDate(createdAt, zone),
  status,
  isAnalyzed: analysisState === 'complete',
  isSkipped: analysisState === 'skipped',
})

/** Returns a point of the chart that does not open its appointments. */
function toClosedTrend(point: TrendPoint): Trend {
  const { days: _, ...trend } = toTrend(point)
  return trend
}

/** Returns a figure that does not open the appointments behind it. */
function withoutAppointments(figure: Figure): Figure {
  const { drillDown, ...rest } = figure
  return drillDown && 'appointments' in drillDown ? rest : figure
}

function PracticeDashboardScreen({ user, practiceId }: { user: CurrentUser; practiceId: string }) {
  const now = useNow(refreshIntervalMs)
  const [period, setPeriod] = useState<TrendPeriod>('7days')
  const isDemo = showsSampleData(user)
  const practice = useQuery(practiceQuery(practiceId))
  const stats = useQuery(dashboardStatsQuery)
  const isReadOnly = isReadOnlyFor(user)
  const appointments = useQuery({ ...todaysAppointmentsQuery, enabled: !isReadOnly })
  const patients = useQuery(activePatientsQuery)
  const forms = useQuery({ ...recentFormsQuery, enabled: !isDemo })
  const trends = useQuery({ ...trendsQuery(period), enabled: !isDemo })
  const canReadInsights = user.permissions.includes('ai') && checkFeatureAccess(user, 'ai-insights') === 'open'
  const insights = useQuery({ ...insightsQuery, enabled: canReadInsights })
  const system = useQuery({ ...systemStatusQuery, enabled: !isDemo })
  const zone = practice.data?.timezone ?? getBrowserTimeZone()
  const dashboard: Dashboard = {
    isDemo,
    hasRecords: true,
    isReadOnly,
    now,
    time: toLocalTime(now, zone),
    figures: mapLoadable(stats, (found) =>
      (isDemo ? createDemoFigures(found) : createPracticeFigures(found, canReadInsights ? insights : null)).map(
        isReadOnly ? withoutAppointments : (figure) => figure,
      ),
    ),
    appointments: mapLoadable(appointments, (list) =>
      list.map(({ id, localTime, patient, type, reason, status, patientDeceased, sample }) => ({
        id,
        time: localTime,
        name: formatName(patient),
        type,
        reason,
        status,
        isDeceased: patientDeceased,
        isSample: sample,
      })),
    ),
    patients: mapLoadable(patients, (list) =>
      list.map((patient) => ({
        id: patient.id,
        name: formatName(patient),
        at: patient.updatedAt,
        isSample: patient.sample,
      })),
    ),
    insights: isDemo ? demoInsights : canReadInsights ? insights : toLoaded([]),
    forms: isDemo
      ? toLoaded(createDemoForms(toLocalDate(now, zone)))
      : mapLoadable(forms, (list) => list.map((form) => toRecentForm(form, zone))),
    trends: isDemo ? demoTrends : mapLoadable(trends, ({ points }) => points.map(isReadOnly ? toClosedTrend : toTrend)),
    period,
    onPeriod: setPeriod,
    system: isDemo ? demoSystem : mapLoadable(system, (status) => toSystemState(status, zone)),
  }
  return <DashboardFrame user={user} dashboard={dashboard} />
}
