import { toLocalDate, toLocalTime } from '#contracts/values/calendar.ts'
import { makeStyles, tokens } from '@fluentui/react-components'
import { useState } from 'react'
import type { TrendPeriod } from '#contracts/dashboard.ts'
import { sampleOwner } from '#contracts/sample-practice.ts'
import { loadLastInput } from '#web/api/last-input.ts'
import { SampleBell } from '#web/entities/notifications/sample-bell.tsx'
import { Brand } from '#web/ui/brand-mark.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { PageFrame } from '#web/ui/page-frame.tsx'
import { useNow } from '#web/ui/use-now.ts'
import { getBrowserTimeZone } from '#web/ui/dates.ts'
import { DashboardView } from '../dashboard-view.tsx'
import { AccountNeededProvider } from './account-needed.tsx'
import { DemoBanner } from './demo-banner.tsx'
import { DemoPrompt } from './demo-prompt.tsx'
import { GlobalSearch, QuickAddMenu } from '../header-tools.tsx'
import { createSampleDashboard } from './sample-dashboard.ts'
import { refreshIntervalMs } from '../format.ts'

const narrow = '@media (max-width: 767px)'

const useStyles = makeStyles({
  root: {
    minHeight: '100dvh',
    backgroundColor: tokens.colorNeutralBackground2,
    color: tokens.colorNeutralForeground1,
  },
  bar: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    flexWrap: 'wrap',
    columnGap: '12px',
    rowGap: '8px',
    padding: '12px 24px',
    backgroundColor: tokens.colorNeutralBackground3,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    [narrow]: { padding: '10px 12px' },
  },
  home: {
    textDecorationLine: 'none',
    borderRadius: tokens.borderRadiusMedium,
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '4px' },
  },
  links: { display: 'flex', columnGap: '8px' },
  content: { '& > main': { margin: '0 auto' } },
})

/** Public dashboard of the sample practice; works without an account and without the server. */
export function DemoScreen() {
  const styles = useStyles()
  const now = useNow(refreshIntervalMs)
  const [period, setPeriod] = useState<TrendPeriod>('7days')
  const zone = getBrowserTimeZone()
  // Known without a request: the demo works without the server.
  const [isSignedIn] = useState(() => loadLastInput(Date.now()) > 0)
  const sample = createSampleDashboard(now, toLocalDate(now, zone), toLocalTime(now, zone))
  return (
    <AccountNeededProvider>
      <div className={styles.root}>
        <nav className={styles.bar} aria-label="Everchart">
          <a href="/" className={styles.home}>
            <Brand tagline="Healthcare Management" />
          </a>
          <span className={styles.links}>
            {isSignedIn ? (
              <LinkButton to="/dashboard">Your Dashboard</LinkButton>
            ) : (
              <>
                <LinkButton to="/auth">Sign In</LinkButton>
                <LinkButton to="/auth" search={{ tab: 'register' }}>
                  Create Free Account
                </LinkButton>
              </>
            )}
          </span>
        </nav>
        <div className={styles.content}>
          <PageFrame
            title="Dashboard Overview"
            tabTitle="Live Demo"
            subtitle={`Welcome back, ${sampleOwner.firstName}`}
            tools={
              <>
                <GlobalSearch isDemo />
                <SampleBell />
                <QuickAddMenu isDemo />
              </>
            }
          >
            <DashboardView dashboard={{ ...sample, period, onPeriod: setPeriod }} banner={<DemoBanner />} />
          </PageFrame>
        </div>
        <DemoPrompt />
      </div>
    </AccountNeededProvider>
  )
}
