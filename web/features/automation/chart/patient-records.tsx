import { Button, Menu, MenuItem, MenuList, MenuPopover, MenuTrigger } from '@fluentui/react-components'
import { AddRegular } from '@fluentui/react-icons/svg/add'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { Patient } from '#contracts/patients.ts'
import { hasPermission } from '#contracts/values/roles.ts'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { usePracticeTimes } from '#web/entities/practices/practice-time.ts'
import { patientRecordsQuery } from '#web/entities/records/record-api.ts'
import { NewRecordDialog } from '#web/entities/records/record-dialogs.tsx'
import { getStatus, type RecordKind, type RecordRow } from '#web/entities/records/record-kind.ts'
import { formatName } from '#web/ui/format.ts'
import { RowLink } from '#web/ui/row-link.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { SummaryList, SummaryRow } from '#web/entities/patients/summary-list.tsx'
import { vitalSignsKey } from '#web/entities/vital-signs/vital-signs-kind.ts'
import { useRecordTabs } from '../records/record-lists.ts'
import type { FeatureTabName } from '../feature-texts.ts'
import { mergeRecords } from './merge-records.ts'

/** Number of records that the details of a patient show at first, and of each kind on request. */
const summarySize = 5
const maxSize = 200

/** `isFirst`: the list that the tab shows by default. */
type Place = { kind: RecordKind; tab: FeatureTabName; isFirst: boolean }

/** Returns the kinds of records that are about patients, each with its tab. Vital signs have a section of their own. */
function usePlaces(): readonly Place[] {
  const recordTabs = useRecordTabs()
  return (Object.keys(recordTabs) as FeatureTabName[]).flatMap((tab) =>
    recordTabs[tab].flatMap((kind, index) =>
      kind.patient === 'none' || kind.key === vitalSignsKey ? [] : [{ kind, tab, isFirst: index === 0 }],
    ),
  )
}

/** The records of a patient of every kind, newest first, with a menu that adds one. */
export function PatientRecords({ patient }: { patient: Patient }) {
  const user = useCurrentUser()
  const places = usePlaces()
  const [isAll, setAll] = useState(false)
  const [added, setAdded] = useState<RecordKind | null>(null)
  const readable = places.filter(({ kind }) => user && hasPermission(user, kind.permissions.read))
  const writable = readable.filter(({ kind }) => user && hasPermission(user, kind.permissions.write))
  const pages = useQueries({
    queries: readable.map(({ kind }) => patientRecordsQuery(kind, patient.id, isAll ? maxSize : summarySize)),
  })
  const source = mergeRecords(
    readable.map((place, index) => ({ place, page: pages[index] })),
    isAll ? Infinity : summarySize,
  )
  if (readable.length === 0) return null
  return (
    <>
      <SummaryList
        source={source}
        loadingLabel="Loading the records"
        errorTitle="Failed to fetch the records"
        emptyText="No referrals, authorizations, documents, medications, calls or messages yet"
        renderItem={({ place, row }) => <PatientRecordRow key={row.id} {...place} row={row} />}
        onAll={isAll ? null : () => setAll(true)}
        actions={writable.length > 0 && <AddMenu kinds={writable.map(({ kind }) => kind)} onAdd={setAdded} />}
      />
      {added && (
        <NewRecordDialog
          kind={added}
          given={{ fields: {}, patientId: patient.id, patient, title: `${added.add}, ${formatName(patient)}` }}
          onClose={() => setAdded(null)}
        />
      )}
    </>
  )
}

function AddMenu({ kinds, onAdd }: { kinds: readonly RecordKind[]; onAdd: (kind: RecordKind) => void }) {
  return (
    <Menu>
      <MenuTrigger disableButtonEnhancement>
        <Button icon={<AddRegular />}>Add record</Button>
      </MenuTrigger>
      <MenuPopover>
        <MenuList>
          {kinds.map((kind) => (
            <MenuItem key={kind.key} icon={<kind.icon />} onClick={() => onAdd(kind)}>
              {kind.add}
            </MenuItem>
          ))}
        </MenuList>
      </MenuPopover>
    </Menu>
  )
}

function PatientRecordRow({ kind, tab, isFirst, row }: Place & { row: RecordRow }) {
  const times = usePracticeTimes()
  const status = kind.statuses[getStatus(kind, row)]
  const name = `${kind.singular.charAt(0).toUpperCase()}${kind.singular.slice(1)}`
  return (
    <SummaryRow
      link={
        <RowLink
          to="/automation"
          // The lists of records parse their own parameters.
          search={{ tab, ...(isFirst ? {} : { list: kind.key }), record: row.id } as { tab: typeof tab }}
        >
          <span dir="auto">{kind.describe(row)}</span>
        </RowLink>
      }
      detail={[name, kind.detail(row, times)].filter(Boolean).join(', ')}
      end={status && <StatusBadge status={status.badge} label={status.label} plain />}
    />
  )
}
