import { makeStyles, Tab, TabList, tokens } from '@fluentui/react-components'
import { BuildingMultipleRegular } from '@fluentui/react-icons/svg/building-multiple'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ComponentType, useId, useState } from 'react'
import { practiceQuery } from '#web/entities/practices/practice-query.ts'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Page } from '#web/ui/page.tsx'
import { BillingTab } from './billing-tab.tsx'
import { PracticeTab } from './practice/practice-tab.tsx'

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

/** Tabs that are implemented. */
const tabs: readonly { id: string; label: string; body: ComponentType<{ practiceId: string }> }[] = [
  { id: 'practice', label: 'Practice', body: PracticeTab },
  { id: 'billing', label: 'Billing', body: BillingTab },
]

/** `/practice`: settings. Users without a practice are sent to the setup. */
export function SettingsScreen() {
  const practiceId = useCurrentUser()?.practiceId ?? null
  return practiceId === null ? <NoPractice /> : <Settings practiceId={practiceId} />
}

function NoPractice() {
  const styles = useStyles()
  const navigate = useNavigate()
  return (
    <Page title="Practice Settings">
      <div className={styles.surface}>
        <EmptyState
          icon={BuildingMultipleRegular}
          title="You have not set up a practice yet"
          hint="Setup takes about three minutes. The settings appear here afterwards."
          action="Set up your practice"
          onAction={() => void navigate({ to: '/onboarding' })}
        />
      </div>
    </Page>
  )
}

function Settings({ practiceId }: { practiceId: string }) {
  const styles = useStyles()
  const id = useId()
  const { data: practice } = useQuery(practiceQuery(practiceId))
  const [selectedTab, setSelectedTab] = useState('practice')
  const currentTab = tabs.find((tab) => tab.id === selectedTab)
  return (
    <Page title="Practice Settings" subtitle={practice?.name}>
      <div className={styles.scroll}>
        <TabList
          className={styles.tabs}
          selectedValue={selectedTab}
          onTabSelect={(_, { value }) => setSelectedTab(String(value))}
          aria-label="Settings"
        >
          {tabs.map((tab) => (
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
