import type { Appointment } from '#contracts/appointments.ts'
import { listClinicalDocuments } from '#contracts/clinical-documentation.ts'
import { listMedicationAdministrations } from '#contracts/medication-administrations.ts'
import { listVitalSigns } from '#contracts/vital-signs.ts'
import { call } from '#web/api/call.ts'
import { documentStatusLabels, documentTypeLabels } from '#web/entities/records/document-labels.ts'
import { formatValues } from '#web/entities/vital-signs/labels.ts'
import { useVitalSignsPlace, vitalSignsKey } from '#web/entities/vital-signs/vital-signs-kind.ts'
import { RecordsPair } from './records-pair.tsx'

type ClinicalPairsProps = {
  appointment: Pick<Appointment, 'id' | 'status' | 'appointmentDate'>
  now: Date
  onClose: () => void
}

/** Clinical records of an appointment, with links to them and to the forms that add one: measured, given and written. */
export function ClinicalPairs({ appointment, now, onClose }: ClinicalPairsProps) {
  const place = useVitalSignsPlace()
  const takesPlace = appointment.status !== 'cancelled' && appointment.status !== 'no-show'
  const isHere = appointment.status === 'waiting'
  const begun = hasBegun(appointment, now)
  const common = { appointmentId: appointment.id, onClose }
  return (
    <>
      {place && (
        <RecordsPair
          {...common}
          term="Vital signs"
          list={vitalSignsKey}
          query={{ status: 'recorded' }}
          load={(query, signal) => call(listVitalSigns, { query }, signal)}
          toText={(measurement) => formatValues(measurement, place.units)}
          add={takesPlace ? { text: 'Record vital signs', isRepeated: false } : null}
        />
      )}
      <RecordsPair
        {...common}
        term="Given"
        list="medication-administrations"
        query={{ status: 'given' }}
        load={(query, signal) => call(listMedicationAdministrations, { query }, signal)}
        toText={({ medication, dose }) => `${medication}, ${dose}`}
        add={isHere || begun ? { text: 'Record a medication', isRepeated: true } : null}
      />
      <RecordsPair
        {...common}
        term="Documentation"
        list="clinical-documentation"
        query={{}}
        load={(query, signal) => call(listClinicalDocuments, { query }, signal)}
        toText={({ documentType, status }) =>
          `${documentTypeLabels[documentType]}, ${documentStatusLabels[status].toLowerCase()}`
        }
        add={begun ? { text: 'Write a note', isRepeated: false } : null}
      />
    </>
  )
}

const hasBegun = ({ status, appointmentDate }: ClinicalPairsProps['appointment'], now: Date) =>
  status === 'in-progress' ||
  status === 'completed' ||
  ((status === 'scheduled' || status === 'confirmed') && new Date(appointmentDate) <= now)
