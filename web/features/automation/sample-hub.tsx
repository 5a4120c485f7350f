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
import { type OverviewGroup, toConfirmationGroup, toRecordGroups } from './hub-model.ts'
import { OverviewFrame } from './overview.tsx'

const sampleGroups: readonly OverviewGroup[] = [
  toConfirmationGroup(sampleAutomationStats.appointmentConfirmations),
  ...toRecordGroups(sampleAutomationStats, ' this month'),
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
    closed: null,
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
