import { useState } from 'react'
import {
  sampleAutomationActivity,
  sampleAutomationFigures,
  sampleAutomationStats,
  sampleConfirmations,
} from '#contracts/sample-practice.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { ActivityPanel } from './activity-panel.tsx'
import {
  ConfirmationCard,
  createConfirmationColumns,
  type ListedConfirmation,
} from './confirmations/confirmation-columns.tsx'
import { type OverviewGroup, toConfirmationGroup } from './hub-model.ts'
import { OverviewFrame } from './overview.tsx'

const { priorAuthorizations, callLogs, clinicalDocs } = sampleAutomationStats

const sampleGroups: readonly OverviewGroup[] = [
  toConfirmationGroup(sampleAutomationStats.appointmentConfirmations),
  {
    title: 'Prior Authorizations',
    tab: 'insurance',
    parts: [
      { label: 'Approved', value: priorAuthorizations.approved, tone: 'success' },
      { label: 'Pending', value: priorAuthorizations.pending, tone: 'warning' },
      { label: 'Denied', value: priorAuthorizations.denied, tone: 'error' },
    ],
    note: `${priorAuthorizations.total} this month`,
  },
  {
    title: 'AI Phone System',
    tab: 'phone',
    parts: [
      { label: 'AI handled', value: callLogs.aiHandled, tone: 'success' },
      { label: 'Human transfer', value: callLogs.transferredToHuman, tone: 'info' },
      {
        label: 'Average duration',
        value: callLogs.averageDuration,
        text: `${callLogs.averageDuration} s`,
        tone: 'none',
      },
    ],
    note: `${callLogs.total} calls this month`,
  },
  {
    title: 'Clinical Documentation',
    tab: 'clinical',
    parts: [
      { label: 'Approved', value: clinicalDocs.providerApproved, tone: 'success' },
      { label: 'Pending review', value: clinicalDocs.pending, tone: 'warning' },
      { label: 'AI generated', value: clinicalDocs.aiGenerated, tone: 'none' },
    ],
    note: `${clinicalDocs.total} notes this month`,
  },
]

/** The figures of the demo. */
export const sampleFigures = sampleAutomationFigures

/** The overview of the demo, with its fixed figures. */
export const SampleOverview = () => (
  <OverviewFrame
    groups={sampleGroups}
    activity={
      <ActivityPanel
        note="today"
        entries={sampleAutomationActivity.map((entry) => ({ ...entry, id: entry.title, href: null }))}
      />
    }
  />
)

const hourMs = 3_600_000

/** Returns the four confirmations of the demo, dated relative to an instant. */
function createSampleConfirmations(now: number): ListedConfirmation[] {
  const at = (hours: number) => new Date(now + hours * hourMs).toISOString()
  return sampleConfirmations.map(({ name, channel, to, status, startsIn, sentAgo, answeredAgo }) => ({
    id: name,
    patientName: name,
    appointmentDate: at(startsIn),
    reminderType: channel,
    status,
    scheduledFor: at(-sentAgo),
    sentAt: at(-sentAgo),
    confirmedAt: answeredAgo === null ? null : at(-answeredAgo),
    phoneNumber: channel === 'sms' ? to : null,
    email: channel === 'email' ? to : null,
    failure: status === 'failed' ? 'refused' : null,
    delivery: 'sent',
  }))
}

const columns = createConfirmationColumns(false)

/** The confirmations of the demo (spec page 2, section 7). */
export function SampleConfirmations() {
  const [rows] = useState(() => createSampleConfirmations(Date.now()))
  return (
    <Panel title="Recent Confirmations" note="asked 24 hours before" flush>
      <DataTable
        label="Confirmations"
        columns={columns}
        rows={rows}
        getId={({ id }) => id}
        getName={({ patientName }) => patientName}
        renderCard={(confirmation) => <ConfirmationCard confirmation={confirmation} isLinked={false} />}
        isNested
      />
    </Panel>
  )
}
