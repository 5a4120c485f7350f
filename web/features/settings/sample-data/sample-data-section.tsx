import { Button, makeStyles, Spinner, Text, tokens } from '@fluentui/react-components'
import { DeleteRegular } from '@fluentui/react-icons/svg/delete'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SampleData } from '#contracts/sample-data.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { Panel } from '#web/ui/panel.tsx'
import { RemoveSampleDialog } from './remove-sample-dialog.tsx'
import { formatSampleCounts, sampleDataQuery } from './sample-data-api.ts'
import { LoadedSection, SectionForbidden } from '../sections/section-state.tsx'
import { SettingsFooter } from '../sections/settings-grid.tsx'

const useStyles = makeStyles({
  text: { margin: 0, color: tokens.colorNeutralForeground2 },
  strong: { display: 'block', fontWeight: tokens.fontWeightSemibold, marginBottom: '4px' },
  pending: { justifyContent: 'flex-start' },
})

/** Sample data that the practice started with, and its removal. */
export function SampleDataSection() {
  const canView = useHasPermission('settings')
  const query = useQuery({ ...sampleDataQuery, enabled: canView })
  return (
    <Panel title="Sample data" note="Added to every new practice">
      {canView ? (
        <LoadedSection query={query} subject="Sample data" loadingSubject="the sample data" rows={2}>
          {(data) => <Content data={data} />}
        </LoadedSection>
      ) : (
        <SectionForbidden subject="Sample data" />
      )}
    </Panel>
  )
}

const pendingLabels = {
  seeding: 'Sample data is being added',
  removing: 'Sample data is being removed',
} as const

function Content({ data }: { data: SampleData }) {
  const styles = useStyles()
  const [isConfirming, setIsConfirming] = useState(false)
  const { state } = data
  return (
    <>
      {state === 'seeding' || state === 'removing' ? (
        <Spinner className={styles.pending} size="tiny" label={pendingLabels[state]} role="status" />
      ) : state === 'seeded' ? (
        <>
          <Text className={styles.strong}>{formatSampleCounts(data)}</Text>
          <Text as="p" block className={styles.text}>
            They are marked with a Demo badge and are not real records. Remove them when you start working with your own
            patients.
          </Text>
          <SettingsFooter>
            <Button icon={<DeleteRegular />} onClick={() => setIsConfirming(true)}>
              Remove sample data
            </Button>
          </SettingsFooter>
        </>
      ) : (
        <Text as="p" block className={styles.text} role="status">
          There is no sample data. All records are your practice’s own.
        </Text>
      )}
      {isConfirming && <RemoveSampleDialog data={data} onClose={() => setIsConfirming(false)} />}
    </>
  )
}
