import { makeStyles, Text } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import type { Practice } from '#contracts/practices.ts'
import { practiceQuery } from '#web/app/current-practice.ts'
import { Panel } from '#web/app/panel.tsx'
import { Quiet } from '#web/app/words.tsx'
import { SectionFailed, SectionLoading } from './section-state.tsx'
import { SettingsFields } from './settings-grid.tsx'

const useStyles = makeStyles({
  fact: { display: 'grid', rowGap: '2px' },
  value: { margin: 0, overflowWrap: 'anywhere' },
})

/** What the practice is called, where it is and how it is reached. */
export function PracticeDetailsSection({ practiceId }: { practiceId: string }) {
  const { data, error, refetch } = useQuery(practiceQuery(practiceId))
  return (
    <Panel title="Practice" note="On reminders, forms and invoices">
      {data ? (
        <PracticeFacts practice={data} />
      ) : error ? (
        <SectionFailed what="The practice" error={error} onRetry={() => void refetch()} />
      ) : (
        <SectionLoading rows={4} what="the practice" />
      )}
    </Panel>
  )
}

function PracticeFacts({ practice }: { practice: Practice }) {
  const styles = useStyles()
  const facts = [
    ['Practice name', practice.name],
    ['Address', practice.address],
    ['Phone', practice.phone],
    ['Email', practice.email],
    ['NPI', practice.npi],
    ['Website', practice.website],
    ['Time zone', practice.timezone.replaceAll('_', ' ')],
  ] as const
  return (
    <SettingsFields as="dl">
      {facts.map(([label, value]) => (
        <div key={label} className={styles.fact}>
          <dt>
            <Quiet>{label}</Quiet>
          </dt>
          <dd className={styles.value}>
            <Text>{value ?? 'Not given'}</Text>
          </dd>
        </div>
      ))}
    </SettingsFields>
  )
}
