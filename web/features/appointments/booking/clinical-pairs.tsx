import { useQuery } from '@tanstack/react-query'
import type { Appointment } from '#contracts/appointments.ts'
import { showsSampleData } from '#contracts/values/tiers.ts'
import { useCurrentUser, useHasPermission } from '#web/entities/accounts/current-user.ts'
import {
  administrationsKey,
  documentsKey,
  givenQuery,
  measuredQuery,
  writtenQuery,
} from '#web/entities/clinical/appointment-records.ts'
import { documentStatusLabels, documentTypeLabels } from '#web/entities/records/document-labels.ts'
import { formatValues } from '#web/entities/vital-signs/labels.ts'
import { useVitalSignsPlace, vitalSignsKey } from '#web/entities/vital-signs/vital-signs-kind.ts'
import { RecordsPair } from './records-pair.tsx'

type ClinicalPairsProps = {
  appointment: Pick<Appointment, 'id' | 'status' | 'appointmentDate'>
  now: Date
  onClose: () => void
}

/**
 * Clinical records of an appointment, with links to them and to the forms that add one: measured, given and written. Nothing for
 * roles that do not read them.
 */
export function ClinicalPairs({ appointment, now, onClose }: ClinicalPairsProps) {
  const user = useCurrentUser()
  const mayRead = useHasPermission('clinical:read')
  const mayWrite = useHasPermission('clinical:write')
  const place = useVitalSignsPlace()
  // Demo users have the roadmap in place of the hub.
  const enabled = mayRead && user !== null && user !== undefined && !showsSampleData(user)
  const measured = useQuery({ ...measuredQuery(appointment.id), enabled }).data
  const given = useQuery({ ...givenQuery(appointment.id), enabled }).data
  const written = useQuery({ ...writtenQuery(appointment.id), enabled }).data
  const { status } = appointment
  const takesPlace = status !== 'cancelled' && status !== 'no-show'
  const begun = hasBegun(appointment, now)
  const common = { appointmentId: appointment.id, onClose }
  const toAdd = (isPossible: boolean, text: string, isRepeated = false) =>
    mayWrite && isPossible ? { text, isRepeated } : null
  return (
    <>
      {place && (
        <RecordsPair
          {...common}
          term="Vital signs"
          list={vitalSignsKey}
          records={measured}
          toText={(measurement) => formatValues(measurement, place.units)}
          add={toAdd(takesPlace, 'Record vital signs')}
        />
      )}
      <RecordsPair
        {...common}
        term="Given"
        list={administrationsKey}
        records={given}
        toText={({ medication, dose }) => `${medication}, ${dose}`}
        add={toAdd(begun || status === 'waiting', 'Record a medication', true)}
      />
      <RecordsPair
        {...common}
        term="Documentation"
        list={documentsKey}
        records={written}
        toText={({ documentType, status: state }) =>
          `${documentTypeLabels[documentType]}, ${documentStatusLabels[state].toLowerCase()}`
        }
        add={toAdd(begun, 'Write a note')}
      />
    </>
  )
}

const hasBegun = ({ status, appointmentDate }: ClinicalPairsProps['appointment'], now: Date) =>
  status === 'in-progress' ||
  status === 'completed' ||
  ((status === 'scheduled' || status === 'confirmed') && new Date(appointmentDate) <= now)
