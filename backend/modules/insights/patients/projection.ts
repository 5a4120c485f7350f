import type { AppointmentStatus } from '#contracts/values/appointments.ts'
import type { AppointmentEvent } from '#modules/appointments/events.ts'
import { findChartConflicts } from '#modules/assistant/rules/public.ts'
import { nameKey } from '#modules/kit/name-key.ts'
import { patientDetailEvents, type PatientEvent } from '#modules/patients/events.ts'
import { defineProjection, mapEvents } from '#projections/projection.ts'

/** An appointment as it counts for its patient; `at` is its start. `kept`: neither cancelled nor missed. */
type PatientAppointment = { at: string; kept: boolean; sample: boolean }

/** Starts of last appointments: ISO instants in UTC, null without any. `own`: without sample appointments. */
type LastAppointments = { all: string | null; own: string | null }

type PatientRow = {
  patient_id: string
  practice_id: string
  sample: boolean
  /** Null once the patient was erased. */
  first_name: string | null
  last_name: string | null
  /** YYYY-MM-DD. */
  birth_date: string | null
  /** Equal for patients with the same name and birth date; null without a birth date. */
  identity: string | null
  has_phone: boolean
  has_email: boolean
  /** True where the record names an insurance. */
  has_insurance: boolean
  living: boolean
  /** The severity of the gravest conflict between medications and allergies; null without one. */
  conflict: 'attention' | 'urgent' | null
  /** Counts the changes of the two lists, so that a decision about a conflict is none about the next. */
  conflict_version: number
  /** The latest appointments by id, at most `maxAppointments`. */
  appointments: Readonly<Record<string, PatientAppointment>>
  /** The last kept ones among those before them. */
  earlier: LastAppointments
  /** The start of the last kept appointment, past or upcoming. */
  last_appointment: string | null
  last_own_appointment: string | null
}

/**
 * Appointments that a row holds, so that it stays small for a patient with thousands. An earlier one counts as it was when it
 * was left out: it matters only after all of these were cancelled or missed.
 */
const maxAppointments = 20

const isKept = (status: AppointmentStatus) => status !== 'cancelled' && status !== 'no-show'

/** Returns the later of two starts. */
const later = (one: string | null, other: string | null) => ((one ?? '') > (other ?? '') ? one : other)

function withLast(last: LastAppointments, { at, kept, sample }: PatientAppointment): LastAppointments {
  if (!kept) return last
  return { all: later(last.all, at), own: sample ? last.own : later(last.own, at) }
}

function withAppointments(row: PatientRow, appointments: PatientRow['appointments']): PatientRow {
  const latestFirst = Object.entries(appointments).toSorted(([, one], [, other]) => (one.at < other.at ? 1 : -1))
  const listed = latestFirst.slice(0, maxAppointments)
  const left = latestFirst.slice(maxAppointments).map(([, appointment]) => appointment)
  const earlier = left.reduce(withLast, row.earlier)
  const last = listed.map(([, appointment]) => appointment).reduce(withLast, earlier)
  return {
    ...row,
    appointments: Object.fromEntries(listed),
    earlier,
    last_appointment: last.all,
    last_own_appointment: last.own,
  }
}

/** Returns the row with a new or changed appointment; null for a patient who was removed. */
const setAppointment = (row: PatientRow | null, appointmentId: string, appointment: PatientAppointment) =>
  row && withAppointments(row, { ...row.appointments, [appointmentId]: appointment })

/** Returns the row after a change of a listed appointment. */
function changeAppointment(
  row: PatientRow | null,
  appointmentId: string,
  change: Partial<PatientAppointment>,
): PatientRow | null {
  const before = row?.appointments[appointmentId]
  return before ? setAppointment(row, appointmentId, { ...before, ...change }) : row
}

type Identity = Pick<PatientRow, 'first_name' | 'last_name' | 'birth_date'>

/** Returns the row with a name and a birth date. The fields of an erased patient are null. */
const withIdentity = (row: PatientRow, { first_name, last_name, birth_date }: Identity): PatientRow => ({
  ...row,
  first_name,
  last_name,
  birth_date,
  identity: first_name && last_name && birth_date ? `${nameKey(last_name)} ${nameKey(first_name)} ${birth_date}` : null,
})

type ChartLists = { allergies: readonly string[] | null; medications: readonly { name: string }[] | null }

/** Returns the row with what follows from the lists of the chart; null after erasure, missing where an older event has none. */
function withChart(row: PatientRow, { allergies, medications }: Partial<ChartLists>): PatientRow {
  const names = (medications ?? []).map(({ name }) => name)
  const [gravest] = findChartConflicts({ allergies: allergies ?? [], medications: names })
  return { ...row, conflict: gravest?.severity ?? null, conflict_version: row.conflict_version + 1 }
}

/**
 * The patients with what insights follow from. The last appointment is stored, because finding it among all appointments would
 * take longer with every year that a practice exists, and every look at the dashboard needs it.
 */
export const insightPatients = defineProjection<PatientEvent | AppointmentEvent, PatientRow>({
  name: 'insight_patients',
  // The conflicts are stored as the table of medicines knows them: a change of the table is a new version.
  version: 6,
  columns: {
    patient_id: 'uuid',
    practice_id: 'uuid',
    sample: 'bool',
    first_name: 'text',
    last_name: 'text',
    birth_date: 'date',
    identity: 'text',
    has_phone: 'bool',
    has_email: 'bool',
    has_insurance: 'bool',
    living: 'bool',
    conflict: 'text',
    conflict_version: 'int4',
    appointments: 'jsonb',
    earlier: 'jsonb',
    last_appointment: 'timestamptz',
    last_own_appointment: 'timestamptz',
  },
  key: 'patient_id',
  // The dead are not reminded of a check-up.
  indexes: [
    '(practice_id, last_appointment) where living',
    '(practice_id, last_own_appointment) where living',
    '(practice_id, last_appointment) where living and not has_phone and not has_email',
    '(practice_id, last_own_appointment) where living and not has_phone and not has_email',
    '(practice_id, identity) include (sample) where identity is not null',
    '(practice_id) include (sample) where living and conflict is not null',
    '(practice_id) where not living',
  ],
  rowOf: ({ data }) => data.patientId,
  on: {
    PatientRegistered: (_, { data, metadata }) =>
      withChart(
        withIdentity(
          {
            patient_id: data.patientId,
            practice_id: data.practiceId,
            sample: metadata.sample,
            first_name: null,
            last_name: null,
            birth_date: null,
            identity: null,
            has_phone: data.phone !== null,
            has_email: data.email !== null,
            has_insurance: data.insuranceInfo !== null,
            living: data.deceasedOn === null,
            conflict: null,
            conflict_version: 0,
            appointments: {},
            earlier: { all: null, own: null },
            last_appointment: null,
            last_own_appointment: null,
          },
          { first_name: data.firstName, last_name: data.lastName, birth_date: data.dateOfBirth },
        ),
        data,
      ),
    PatientDeathRecorded: (row) => row && { ...row, living: false },
    PatientDeathCorrected: (row, { data: { to } }) => row && { ...row, living: to === null },
    PatientRemoved: () => null,
    PatientDemographicsCorrected: (row, { data: { to } }) =>
      row &&
      withIdentity(row, {
        first_name: to.firstName === undefined ? row.first_name : to.firstName,
        last_name: to.lastName === undefined ? row.last_name : to.lastName,
        birth_date: to.dateOfBirth === undefined ? row.birth_date : to.dateOfBirth,
      }),
    PatientContactChanged: (row, { data: { to } }) =>
      row && {
        ...row,
        has_phone: to.phone === undefined ? row.has_phone : to.phone !== null,
        has_email: to.email === undefined ? row.has_email : to.email !== null,
      },
    ...mapEvents(patientDetailEvents, 'ignore'),
    PatientInsuranceChanged: (row, { data: { insuranceInfo } }) =>
      row && { ...row, has_insurance: insuranceInfo !== null },
    PatientAllergiesChanged: (row, { data: { allergies, knownMedications } }) =>
      row && withChart(row, { allergies, medications: knownMedications }),
    PatientMedicationsChanged: (row, { data: { medications, knownAllergies } }) =>
      row && withChart(row, { allergies: knownAllergies, medications }),
    SamplePatientKept: (row) => row && { ...row, sample: false },
    AppointmentBooked: (row, { data: { appointmentId, slot, status }, metadata: { sample } }) =>
      setAppointment(row, appointmentId, { at: slot.startsAt, kept: isKept(status), sample }),
    // An appointment that was left out counts again when it moves.
    AppointmentRescheduled: (row, { data: { appointmentId, to }, metadata }) =>
      setAppointment(row, appointmentId, {
        kept: true,
        sample: metadata.sample,
        ...row?.appointments[appointmentId],
        at: to.startsAt,
      }),
    AppointmentStatusChanged: (row, { data: { appointmentId, to } }) =>
      changeAppointment(row, appointmentId, { kept: isKept(to) }),
    AppointmentCompleted: (row, { data: { appointmentId } }) => changeAppointment(row, appointmentId, { kept: true }),
    AppointmentCancelled: (row, { data: { appointmentId } }) => changeAppointment(row, appointmentId, { kept: false }),
    AppointmentRemoved: (row, { data: { appointmentId } }) => {
      if (!row) return row
      const { [appointmentId]: _, ...others } = row.appointments
      return withAppointments(row, others)
    },
    SampleAppointmentKept: (row, { data: { appointmentId } }) =>
      changeAppointment(row, appointmentId, { sample: false }),
    AppointmentDetailsChanged: 'ignore',
    AppointmentRemovedFromDayList: 'ignore',
  },
})
