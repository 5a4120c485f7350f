import { Button, makeStyles, Select } from '@fluentui/react-components'
import { DocumentAddRegular } from '@fluentui/react-icons/svg/document-add'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useCurrentUser, useHasPermission } from '#web/entities/accounts/current-user.ts'
import { appointmentQuery } from '#web/entities/appointments/appointment-query.ts'
import { hasPermission } from '#contracts/values/roles.ts'
import { getStatus, type RecordKind, type RecordRow } from '#web/entities/records/record-kind.ts'
import { administrationsKey, givenQuery, measuredQuery } from '#web/entities/clinical/appointment-records.ts'
import { NewRecordDialog } from '#web/entities/records/record-dialogs.tsx'
import { RecordPanel } from '#web/entities/records/record-panel.tsx'
import { parseRecordPlace, type RecordPlace, toParameters } from '#web/entities/records/record-place.ts'
import type { FeatureTabName } from '../feature-texts.ts'
import { formatName } from '#web/ui/format.ts'
import { toAdministration } from './administrations.ts'
import { AllergyAction } from './allergy-action.tsx'
import { documents } from './documents.ts'
import { startNote } from './start-note.ts'
import { useRecordTabs } from './record-lists.ts'
import { useVitalSignsPlace, vitalSignsKey } from '#web/entities/vital-signs/vital-signs-kind.ts'

const idPattern = /^[0-9a-f-]{36}$/

/** The lists to which an address can add a record of an appointment. */
const ofAppointments = new Set([documents.key, vitalSignsKey, administrationsKey])

const useStyles = makeStyles({ choice: { '& select': { minWidth: 0 } } })

/** The records of a tab: one list, or a choice of lists. */
export function RecordsTab({ tab }: { tab: FeatureTabName }) {
  const styles = useStyles()
  const user = useCurrentUser()
  const navigate = useNavigate()
  const router = useRouter()
  const raw = useSearch({ strict: false }) as Record<string, unknown>
  const isSettled = useVitalSignsPlace() !== null
  const kinds = useRecordTabs()[tab].filter(({ permissions }) => user && hasPermission(user, permissions.read))
  const kind = kinds.find(({ key }) => key === raw['list']) ?? kinds[0]
  // An address may name a list that is known once the practice is.
  const isKnown = raw['list'] === undefined || kind?.key === raw['list'] || isSettled
  if (!kind || !isKnown) return null
  const show = (chosen: RecordKind, place: RecordPlace, replace = false) => {
    // The list is still mounted while the next screen is loading.
    if (!/^\/automation\/?$/.test(router.latestLocation.pathname)) return
    void navigate({
      to: '/automation',
      // Each kind has parameters of its own, which it parses again.
      search: { tab, ...(chosen === kinds[0] ? {} : { list: chosen.key }), ...toParameters(place) } as {
        tab: typeof tab
      },
      replace,
    })
  }
  const appointmentId = idPattern.test(String(raw['appointment'])) ? String(raw['appointment']) : ''
  const place = parseRecordPlace(raw, { statuses: Object.keys(kind.statuses), filters: kind.filters })
  const choose = (key: string) => {
    const chosen = kinds.find((each) => each.key === key)
    if (chosen) show(chosen, {})
  }
  return (
    <RecordPanel
      key={kind.key}
      kind={kind}
      place={place}
      onPlace={(next, { replace = false } = {}) => show(kind, next, replace)}
      note={
        kinds.length > 1 && (
          <Select
            className={styles.choice}
            aria-label="List"
            value={kind.key}
            onChange={(_, { value }) => choose(value)}
          >
            {kinds.map(({ key, title }) => (
              <option key={key} value={key}>
                {title}
              </option>
            ))}
          </Select>
        )
      }
      renderActions={(row) =>
        kind === documents ? (
          <AddendumAction row={row} />
        ) : (
          kind.key === administrationsKey && <AllergyAction administration={toAdministration(row)} />
        )
      }
    >
      {ofAppointments.has(kind.key) && (
        <RecordOfAppointment
          key={appointmentId}
          kind={kind}
          appointmentId={appointmentId}
          onClose={() => show(kind, place, true)}
        />
      )}
    </RecordPanel>
  )
}

type RecordOfAppointmentProps = { kind: RecordKind; appointmentId: string; onClose: () => void }

/** Dialog that adds a record of the appointment that the address names; nothing without one, or for roles that add none. */
function RecordOfAppointment({ kind, appointmentId, onClose }: RecordOfAppointmentProps) {
  const mayWrite = useHasPermission(kind.permissions.write)
  const { data: appointment } = useQuery({
    ...appointmentQuery(appointmentId),
    enabled: appointmentId !== '' && mayWrite,
  })
  const isNote = kind === documents
  const place = useVitalSignsPlace()
  const enabled = isNote && appointmentId !== '' && mayWrite
  const measured = useQuery({ ...measuredQuery(appointmentId), enabled })
  const given = useQuery({ ...givenQuery(appointmentId), enabled })
  // A note can also be written while its beginning cannot be read.
  const isReady = !isNote || (place !== null && !measured.isPending && !given.isPending)
  if (!appointment || !isReady) return null
  const { id, patientId, patient, providerId, reason } = appointment
  const recorded = { reason, measured: measured.data ?? [], given: given.data ?? [] }
  return (
    <NewRecordDialog
      kind={kind}
      given={{
        title: `${kind.add}, ${formatName(patient)}`,
        patientId,
        fields: {},
        values: {
          appointmentId: id,
          providerId,
          orderedBy: providerId,
          ...(isNote && place ? startNote(recorded, place.units) : {}),
        },
      }}
      onClose={onClose}
    />
  )
}

/** Button that adds an addendum to an approved document. */
function AddendumAction({ row }: { row: RecordRow }) {
  const [isOpen, setIsOpen] = useState(false)
  const user = useCurrentUser()
  const isNote = row['documentType'] !== 'addendum' && getStatus(documents, row) === 'approved'
  if (!isNote || !user || !hasPermission(user, documents.permissions.write)) return null
  return (
    <>
      <Button icon={<DocumentAddRegular />} onClick={() => setIsOpen(true)}>
        Add addendum
      </Button>
      {isOpen && (
        <NewRecordDialog
          kind={documents}
          given={{
            title: `Addendum to the note of ${String(row.patientName)}`,
            patientId: String(row.patientId),
            fields: { documentType: 'addendum', addendumTo: row.id },
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  )
}
