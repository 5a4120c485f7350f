import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { TrendPeriod, TrendPoint } from '#contracts/dashboard.ts'
import { practiceQuery } from '#web/app/current-practice.ts'
import { seesSample, useCurrentUser } from '#web/app/current-user.ts'
import { LinkButton } from '#web/app/link-button.tsx'
import { Page } from '#web/app/page.tsx'
import { statsQuery } from '#web/app/practice-figures.ts'
import { subscriptionStatusQuery } from '#web/app/subscription.ts'
import { activePatientsQuery, healthQuery, todayQuery, trendsQuery } from './api.ts'
import { DashboardView } from './dashboard-view.tsx'
import { DemoBanner } from './demo-banner.tsx'
import { DemoPrompt } from './demo-prompt.tsx'
import { demoFigures, trueFigures } from './figures.ts'
import { GlobalSearch, Notifications, QuickAdd } from './header-tools.tsx'
import { mapped, ready } from './loaded.ts'
import type { Dashboard, Trend } from './model.ts'
import { demoForms, demoInsights, demoSystem, demoTrends, sampleDashboard } from './sample-dashboard.ts'
import { systemStateOf } from './system-state.ts'
import { useNow } from './use-now.ts'
import { dayIn, ownZone, showSpan, timeIn } from './words.ts'

/** The morning of a practice in one look. Who has none yet sees the sample practice, read only. */
export function DashboardScreen() {
  const user = useCurrentUser()
  if (!user) return null
  return user.practiceId === null ? (
    <SampleScreen user={user} />
  ) : (
    <PracticeScreen user={user} practiceId={user.practiceId} />
  )
}

/** Who looks at the sample practice and has an account is one press away from a practice of their own. */
const setUp = (
  <LinkButton appearance="primary" to="/onboarding">
    Set up your practice
  </LinkButton>
)

function Frame({ user, dashboard }: { user: CurrentUser; dashboard: Dashboard }) {
  const { demo, now } = dashboard
  return (
    <Page
      title="Dashboard Overview"
      subtitle={`Welcome back, ${user.firstName}`}
      search={<GlobalSearch demo={demo} />}
      action={
        <>
          <Notifications demo={demo} now={now} />
          <QuickAdd demo={demo} />
        </>
      }
    >
      <DashboardView
        dashboard={dashboard}
        banner={user.isDemoUser && <DemoBanner hasLapsed={!demo}>{user.practiceId === null && setUp}</DemoBanner>}
      />
      {demo && <DemoPrompt />}
    </Page>
  )
}

function SampleScreen({ user }: { user: CurrentUser }) {
  const now = useNow()
  const [period, setPeriod] = useState<TrendPeriod>('7days')
  const zone = ownZone()
  const sample = sampleDashboard(now, dayIn(zone, now), timeIn(zone, now))
  return <Frame user={user} dashboard={{ ...sample, period, onPeriod: setPeriod }} />
}

const trendOf = ({ from, to, scheduled, completed, cancelled }: TrendPoint): Trend => ({
  label: showSpan(from, to),
  scheduled,
  completed,
  cancelled,
  days: { from, to },
})

function PracticeScreen({ user, practiceId }: { user: CurrentUser; practiceId: string }) {
  const now = useNow()
  const [period, setPeriod] = useState<TrendPeriod>('7days')
  const demo = seesSample(user)
  const practice = useQuery(practiceQuery(practiceId))
  const stats = useQuery(statsQuery)
  const visits = useQuery(todayQuery)
  const patients = useQuery(activePatientsQuery)
  const trends = useQuery({ ...trendsQuery(period), enabled: !demo })
  const system = useQuery({ ...healthQuery, enabled: !demo })
  const subscription = useQuery({ ...subscriptionStatusQuery, enabled: !demo })
  const zone = practice.data?.timezone ?? ownZone()
  const dashboard: Dashboard = {
    demo,
    now,
    time: timeIn(zone, now),
    figures: mapped(stats, demo ? demoFigures : trueFigures),
    visits: mapped(visits, (list) =>
      list.map(({ id, localTime, patient, type, reason, status, sample }) => ({
        id,
        time: localTime,
        name: `${patient.firstName} ${patient.lastName}`,
        type,
        reason,
        status,
        sample,
      })),
    ),
    patients: mapped(patients, (list) =>
      list.map(({ id, firstName, lastName, updatedAt, sample }) => ({
        id,
        name: `${firstName} ${lastName}`,
        at: updatedAt,
        sample,
      })),
    ),
    insights: demo ? demoInsights : ready([]),
    forms: ready(demo ? demoForms(dayIn(zone, now)) : []),
    trends: demo ? demoTrends : mapped(trends, ({ points }) => points.map(trendOf)),
    period,
    onPeriod: setPeriod,
    system: demo ? demoSystem : mapped(system, (health) => systemStateOf(health, zone, Boolean(subscription.data))),
  }
  return <Frame user={user} dashboard={dashboard} />
}
