import { makeStyles } from '@fluentui/react-components'
import { SettingsRegular } from '@fluentui/react-icons/svg/settings'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { showsSampleData } from '#contracts/values/tiers.ts'
import { useCurrentUser, useHasPermission } from '#web/entities/accounts/current-user.ts'
import { HeaderAction } from '#web/ui/header-action.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { NotAllowed } from '#web/ui/not-allowed.tsx'
import { Page } from '#web/ui/page.tsx'
import { Tab, TabList } from '#web/ui/tabs.tsx'
import { statsQuery } from './api.ts'
import { SwitchableAutomation } from '#contracts/values/automation.ts'
import { type AutomationTab, automationTabs, isTab, parseAutomationSearch } from './automation-search.ts'
import { ConfigDialog } from './confirmations/config-dialog.tsx'
import { ConfirmationDetailsDrawer } from './confirmations/confirmation-details.tsx'
import { ConfirmationsPanel } from './confirmations/confirmations-panel.tsx'
import { OffersPanel } from './offers/offers-panel.tsx'
import { EstimatesDialog } from './estimates-dialog.tsx'
import { FeatureTab } from './feature-tab.tsx'
import { type SummaryFigure, toSummaryFigures } from './hub-model.ts'
import { Overview } from './overview.tsx'
import { RecordsTab } from './records/records-tab.tsx'
import { SampleConfirmations, sampleFigures, SampleOverview } from './sample-hub.tsx'
import { SummaryCards } from './summary-cards.tsx'
import { switchesQuery } from './switches/api.ts'
import { SwitchedOffNotice } from './switches/switched-off-notice.tsx'

const title = 'Healthcare Automation Hub'

/** The automations that the settings of each tab switch. */
const switchesOf: Record<AutomationTab, readonly SwitchableAutomation[]> = {
  overview: SwitchableAutomation.options,
  appointments: ['confirmations'],
  insurance: ['eligibility', 'coverage-rechecks'],
  phone: [],
  clinical: ['form-analysis'],
  supplies: [],
}

const useStyles = makeStyles({
  scroll: { overflowX: 'auto' },
  panel: { minWidth: 0 },
  stack: { display: 'grid', rowGap: '16px' },
})

/** Screen of what runs by itself: figures, and a tab for each area. Demo users see the fixed figures of the sample practice. */
export function AutomationScreen() {
  const user = useCurrentUser()
  const mayOpen = useHasPermission('scheduling')
  if (!user || showsSampleData(user)) return <SampleHub />
  return mayOpen ? (
    <Hub />
  ) : (
    <Page title={title}>
      <NotAllowed title="Your role does not include the automation hub" hint="Ask the owner of the practice." />
    </Page>
  )
}

type HubFrameProps = {
  figures: readonly SummaryFigure[] | null | undefined
  tab: AutomationTab
  /** Opens the settings of the shown tab; null when there are none for this user. */
  onConfigure: (() => void) | null
  children: ReactNode
}

/** The hub around the content of a tab. */
function HubFrame({ figures, tab, onConfigure, children }: HubFrameProps) {
  const styles = useStyles()
  const id = useId()
  const navigate = useNavigate()
  // On a phone, the selected tab may be beyond the edge.
  useEffect(() => {
    document.getElementById(`${id}-${tab}`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [id, tab])
  const show = (value: unknown) => {
    if (isTab(value)) void navigate({ to: '/automation', search: value === 'overview' ? {} : { tab: value } })
  }
  return (
    <Page
      title={title}
      subtitle="What runs by itself, and what waits for you"
      action={
        onConfigure && (
          <HeaderAction
            label="Configure Settings"
            icon={<SettingsRegular />}
            appearance="secondary"
            onClick={onConfigure}
          />
        )
      }
    >
      <SummaryCards figures={figures} />
      <div className={styles.scroll}>
        <TabList selectedValue={tab} onTabSelect={(_, { value }) => show(value)} aria-label="Areas">
          {Object.entries(automationTabs).map(([value, label]) => (
            <Tab key={value} value={value} id={`${id}-${value}`} aria-controls={`${id}-panel`}>
              {label}
            </Tab>
          ))}
        </TabList>
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${tab}`} className={styles.panel}>
        {children}
      </div>
    </Page>
  )
}

function Hub() {
  const styles = useStyles()
  // Parsed again: the router keeps URL parameters that the route does not know.
  const search = useSearch({ from: '/shell/automation', select: parseAutomationSearch })
  const navigate = useNavigate()
  const mayConfigure = useHasPermission('settings')
  const [isConfiguring, setIsConfiguring] = useState(false)
  const stats = useQuery(statsQuery)
  const { data: switches } = useQuery(switchesQuery)
  const canAskInsurers = switches?.find(({ automation }) => automation === 'eligibility')?.isConnected ?? false
  const { tab = 'overview' } = search
  const configure = mayConfigure ? () => setIsConfiguring(true) : null
  const close = () => setIsConfiguring(false)
  const closeDetails = () => {
    const { confirmation: _, ...rest } = search
    void navigate({ to: '/automation', search: rest, replace: true })
  }
  const isList = tab === 'overview' || tab === 'appointments'
  return (
    <HubFrame
      figures={stats.isError ? null : stats.data && toSummaryFigures(stats.data)}
      tab={tab}
      onConfigure={isList ? configure : null}
    >
      {tab === 'overview' && <Overview />}
      {tab === 'appointments' && (
        <div className={styles.stack}>
          <SwitchedOffNotice automation="confirmations" />
          <ConfirmationsPanel search={search} />
          <OffersPanel />
        </div>
      )}
      {tab !== 'overview' && tab !== 'appointments' && (
        <div className={styles.stack}>
          {switchesOf[tab].map((automation) => (
            <SwitchedOffNotice key={automation} automation={automation} />
          ))}
          <RecordsTab tab={tab} />
          <FeatureTab tab={tab} canAskInsurers={canAskInsurers} onConfigure={configure}>
            {tab === 'insurance' && <LinkButton to="/insurance">Open Insurance</LinkButton>}
            {tab === 'clinical' && <LinkButton to="/forms">Open Forms &amp; Intake</LinkButton>}
          </FeatureTab>
        </div>
      )}
      <ConfirmationDetailsDrawer confirmationId={search.confirmation} onClose={closeDetails} />
      {isConfiguring &&
        (tab === 'appointments' ? (
          <ConfigDialog onClose={close} />
        ) : (
          <EstimatesDialog switches={switchesOf[tab]} onClose={close} />
        ))}
    </HubFrame>
  )
}

function SampleHub() {
  const { tab = 'overview' } = useSearch({ from: '/shell/automation', select: parseAutomationSearch })
  return (
    <HubFrame figures={sampleFigures} tab={tab} onConfigure={null}>
      {tab === 'overview' && <SampleOverview />}
      {tab === 'appointments' && <SampleConfirmations />}
      {tab !== 'overview' && tab !== 'appointments' && (
        <FeatureTab tab={tab} canAskInsurers={false} onConfigure={null} />
      )}
    </HubFrame>
  )
}
