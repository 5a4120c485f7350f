import { makeStyles, tokens } from '@fluentui/react-components'
import { BuildingMultipleRegular } from '@fluentui/react-icons/svg/building-multiple'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ComponentType, useId } from 'react'
import { practiceQuery } from '#web/entities/practices/practice-query.ts'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Page } from '#web/ui/page.tsx'
import { Tab, TabList } from '#web/ui/tabs.tsx'
import { BillingTab } from './billing-tab.tsx'
import { IntegrationsTab } from './integrations/integrations-tab.tsx'
import { NotificationsTab } from './notifications/notifications-tab.tsx'
import { PracticeTab } from './practice/practice-tab.tsx'
import { ProfileTab } from './profile/profile-tab.tsx'
import { PersonalSecurityTab, SecurityTab } from './security/security-tab.tsx'

const useStyles = makeStyles({
  scroll: {
    overflowX: 'auto',
    scrollbarWidth: 'none',
    minWidth: 0,
    marginTop: '-8px',
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  tabs: { marginLeft: '-10px', minWidth: 'max-content' },
  surface: {
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
  },
})

type SettingsTab = { id: string; label: string; body: ComponentType<{ practiceId: string }> }

/** Tabs that are implemented. */
const tabs: readonly SettingsTab[] = [
  { id: 'practice', label: 'Practice', body: PracticeTab },
  { id: 'profile', label: 'Profile', body: ProfileTab },
  { id: 'security', label: 'Security', body: SecurityTab },
  { id: 'notifications', label: 'Notifications', body: NotificationsTab },
  { id: 'billing', label: 'Billing', body: BillingTab },
  { id: 'integrations', label: 'Integrations', body: IntegrationsTab },
]

/** Tabs of a user without a practice: the account has its security already. */
const personalTabs: readonly SettingsTab[] = [
  { id: 'practice', label: 'Practice', body: NoPractice },
  { id: 'security', label: 'Security', body: PersonalSecurityTab },
]

/** `/practice`: settings. Users without a practice are sent to the setup, and see the security of their account. */
export function SettingsScreen() {
  const practiceId = useCurrentUser()?.practiceId ?? null
  return practiceId === null ? (
    <SettingsTabs tabs={personalTabs} practiceId="" />
  ) : (
    <PracticeSettings practiceId={practiceId} />
  )
}

function NoPractice() {
  const styles = useStyles()
  const navigate = useNavigate()
  return (
    <div className={styles.surface}>
      <EmptyState
        icon={BuildingMultipleRegular}
        title="You have not set up a practice yet"
        hint="Setup takes about three minutes. The settings appear here afterwards."
        action="Set up your practice"
        onAction={() => void navigate({ to: '/onboarding' })}
      />
    </div>
  )
}

function PracticeSettings({ practiceId }: { practiceId: string }) {
  const { data: practice } = useQuery(practiceQuery(practiceId))
  return <SettingsTabs tabs={tabs} practiceId={practiceId} subtitle={practice?.name} />
}

type SettingsTabsProps = { tabs: readonly SettingsTab[]; practiceId: string; subtitle?: string | undefined }

function SettingsTabs({ tabs: shown, practiceId, subtitle }: SettingsTabsProps) {
  const styles = useStyles()
  const id = useId()
  const navigate = useNavigate()
  const { tab: requestedTab } = useSearch({ from: '/shell/practice' })
  const currentTab = shown.find((tab) => tab.id === requestedTab) ?? shown[0]
  const selectedTab = currentTab?.id
  return (
    <Page title="Practice Settings" subtitle={subtitle}>
      <div className={styles.scroll}>
        <TabList
          className={styles.tabs}
          selectedValue={selectedTab}
          onTabSelect={(_, { value }) =>
            void navigate({ to: '/practice', search: { tab: String(value) }, replace: true })
          }
          aria-label="Settings"
        >
          {shown.map((tab) => (
            <Tab key={tab.id} value={tab.id} id={`${id}-${tab.id}`} aria-controls={`${id}-panel`}>
              {tab.label}
            </Tab>
          ))}
        </TabList>
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${selectedTab}`}>
        {currentTab && <currentTab.body practiceId={practiceId} />}
      </div>
    </Page>
  )
}
