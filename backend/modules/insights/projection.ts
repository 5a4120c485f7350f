import type { AppointmentStatus } from '#contracts/values/appointments.ts'
import type { InsightDecisionKind, InsightRule } from '#contracts/values/insights.ts'
import { defaultWeek, type WeekHours } from '#contracts/values/working-hours.ts'
import type { Recorded } from '#eventstore/event.ts'
import type { AppointmentEvent } from '#modules/appointments/events.ts'
import { findChartConflicts } from '#modules/assistant/rules/public.ts'
import type { FormEvent } from '#modules/forms/events.ts'
import type { InsuranceEvent } from '#modules/insurance/events.ts'
import { nameKey } from '#modules/name-key.ts'
import { patientDetailEvents, type PatientEvent } from '#modules/patients/events.ts'
import type { ProviderEvent } from '#modules/providers/events.ts'
import type { ClosureEvent } from '#modules/working-hours/closures/events.ts'
import type { WorkingHoursEvent } from '#modules/working-hours/events.ts'
import { defineProjection, mapEvents } from '#projections/projection.ts'
import type { InsightEvent } from './events.ts'

type AppointmentRow = {
  appointment_id: string
  practice_id: string
  patient_id: string
  /** An ISO instant in UTC. */
  starts_at: string
  minutes: number
  status: string
  /** True while the day list shows it; a cancelled appointment may stay on it, struck through. */
  on_day_list: boolean
  sample: boolean
}

/** The appointments from which insights are counted. */
export const insightAppointments = defineProjection<AppointmentEvent, AppointmentRow>({
  name: 'insight_appointments',
  version: 3,
  isMetadataOnly: true,
  columns: {
    appointment_id: 'uuid',
    practice_id: 'uuid',
    patient_id: 'uuid',
    starts_at: 'timestamptz',
    minutes: 'int4',
    status: 'text',
    on_day_list: 'bool',
    sample: 'bool',
  },
  key: 'appointment_id',
  indexes: [
    '(practice_id, starts_at)',
    '(patient_id, starts_at)',
    `(practice_id, starts_at) include (patient_id, sample) where status = 'no-show'`,
  ],
  rowOf: ({ data }) => data.appointmentId,
  on: {
    AppointmentBooked: (_, { data: { appointmentId, practiceId, patientId, slot, status }, metadata }) => ({
      appointment_id: appointmentId,
      practice_id: practiceId,
      patient_id: patientId,
      starts_at: slot.startsAt,
      minutes: slot.duration,
      status,
      on_day_list: true,
      sample: metadata.sample,
    }),
    AppointmentRescheduled: (row, { data: { to } }) => row && { ...row, starts_at: to.startsAt, minutes: to.duration },
    AppointmentStatusChanged: (row, { data: { to } }) => row && { ...row, status: to },
    AppointmentCompleted: (row) => row && { ...row, status: 'completed' },
    AppointmentCancelled: (row, { data: { isOnDayList } }) =>
      row && { ...row, status: 'cancelled', on_day_list: isOnDayList },
    AppointmentRemovedFromDayList: (row) => row && { ...row, on_day_list: false },
    AppointmentRemoved: () => null,
    SampleAppointmentKept: (row) => row && { ...row, sample: false },
    AppointmentDetailsChanged: 'ignore',
  },
})

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
  version: 4,
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

/** Days on which the practice (`providerId` null) or one provider does not work; local dates, both included. */
type ClosedRange = { providerId: string | null; from: string; until: string }

type WorkingProvider = { id: string; since: string }

type PracticeRow = {
  practice_id: string
  /** Null until the practice sets its hours. */
  week: WeekHours | null
  /** The providers who see patients, and the date (UTC) since which they do. */
  providers: readonly WorkingProvider[]
  /** The holidays and days off by id. */
  closures: Readonly<Record<string, ClosedRange>>
}

type WorkingTimeEvent = ProviderEvent | WorkingHoursEvent | ClosureEvent

/** Returns the row with some changes; the first event of a practice creates it. */
const withWorkingTime = (
  row: PracticeRow | null,
  practiceId: string,
  change: (row: PracticeRow) => Partial<PracticeRow>,
): PracticeRow => {
  const before = row ?? { practice_id: practiceId, week: null, providers: [], closures: {} }
  return { ...before, ...change(before) }
}

const addProvider =
  ({ data: { providerId }, metadata }: Pick<Recorded<ProviderEvent>, 'data' | 'metadata'>) =>
  ({ providers }: PracticeRow) => ({
    providers: [...providers, { id: providerId, since: metadata.at.slice(0, 10) }],
  })

/** The working time of the practices: how many hours could have been booked. */
export const insightPractices = defineProjection<WorkingTimeEvent, PracticeRow>({
  name: 'insight_practices',
  version: 1,
  isMetadataOnly: true,
  columns: { practice_id: 'uuid', week: 'jsonb', providers: 'jsonb', closures: 'jsonb' },
  key: 'practice_id',
  rowOf: ({ metadata }) => metadata.practiceId,
  on: {
    WorkingHoursChanged: (row, { data: { to } }, key) =>
      withWorkingTime(row, key, ({ week }) => ({ week: { ...(week ?? defaultWeek), ...to } })),
    ProviderAdded: (row, event, key) => withWorkingTime(row, key, addProvider(event)),
    ProviderReactivated: (row, event, key) => withWorkingTime(row, key, addProvider(event)),
    ProviderDeactivated: (row, { data: { providerId } }, key) =>
      withWorkingTime(row, key, ({ providers }) => ({ providers: providers.filter(({ id }) => id !== providerId) })),
    ProviderDetailsChanged: 'ignore',
    ClosureAdded: (row, { data: { closureId, providerId, from, until } }, key) =>
      withWorkingTime(row, key, ({ closures }) => ({
        closures: { ...closures, [closureId]: { providerId, from, until } },
      })),
    ClosureChanged: (row, { data: { closureId, to } }, key) =>
      withWorkingTime(row, key, ({ closures }) => {
        const before = closures[closureId]
        if (!before) return {}
        const { from = before.from, until = before.until } = to
        return { closures: { ...closures, [closureId]: { ...before, from, until } } }
      }),
    ClosureRemoved: (row, { data: { closureId } }, key) =>
      withWorkingTime(row, key, ({ closures: { [closureId]: _, ...others } }) => ({ closures: others })),
  },
})

type FormRow = {
  form_id: string
  practice_id: string
  patient_id: string
  /** Neither reviewed nor completed. */
  is_open: boolean
  is_submitted: boolean
  /** Since when it waits: for the answers, and once they are handed in for the review. */
  waiting_since: string
  /** The version of the answers with the latest urgent finding; null without one. */
  urgent_version: number | null
  analyzed_at: string | null
  sample: boolean
}

/** The forms that wait, and when each was analyzed. */
export const insightForms = defineProjection<FormEvent, FormRow>({
  name: 'insight_forms',
  version: 1,
  isMetadataOnly: true,
  columns: {
    form_id: 'uuid',
    practice_id: 'uuid',
    patient_id: 'uuid',
    is_open: 'bool',
    is_submitted: 'bool',
    waiting_since: 'timestamptz',
    urgent_version: 'int4',
    analyzed_at: 'timestamptz',
    sample: 'bool',
  },
  key: 'form_id',
  indexes: [
    '(practice_id, waiting_since) where is_open',
    '(practice_id, waiting_since) where is_open and urgent_version is not null',
    '(practice_id, analyzed_at)',
  ],
  rowOf: ({ data }) => data.formId,
  on: {
    FormAssigned: (_, { data: { formId, practiceId, patientId }, metadata }) => ({
      form_id: formId,
      practice_id: practiceId,
      patient_id: patientId,
      is_open: true,
      is_submitted: false,
      waiting_since: metadata.at,
      urgent_version: null,
      analyzed_at: null,
      sample: metadata.sample,
    }),
    FormSubmitted: (row, { metadata }) => row && { ...row, is_submitted: true, waiting_since: metadata.at },
    FormReviewed: (row) => row && { ...row, is_open: false },
    FormCompleted: (row) => row && { ...row, is_open: false },
    FormAnalyzed: (row, { data: { version, urgentCount }, metadata }) =>
      row && { ...row, urgent_version: urgentCount > 0 ? version : null, analyzed_at: metadata.at },
    FormAnswersSaved: 'ignore',
    FormAnalysisRequested: 'ignore',
    FormAnalysisFailed: 'ignore',
    FormAnalysisSkipped: 'ignore',
  },
})

type CoverageRow = {
  verification_id: string
  practice_id: string
  patient_id: string
  status: string
  /** The first and the last day of the coverage, YYYY-MM-DD; null when it is not known. */
  starts_on: string | null
  ends_on: string | null
  added_at: string
  sample: boolean
}

const setStatus = (status: string) => (row: CoverageRow | null) => row && { ...row, status }

/** The insurance verifications of patients, by which appointments are covered or not. */
export const insightCoverages = defineProjection<InsuranceEvent, CoverageRow>({
  name: 'insight_coverages',
  version: 1,
  columns: {
    verification_id: 'uuid',
    practice_id: 'uuid',
    patient_id: 'uuid',
    status: 'text',
    starts_on: 'date',
    ends_on: 'date',
    added_at: 'timestamptz',
    sample: 'bool',
  },
  key: 'verification_id',
  indexes: ['(patient_id)'],
  rowOf: ({ data }) => data.verificationId,
  on: {
    InsuranceVerificationRequested: (_, { data, metadata }) => ({
      verification_id: data.verificationId,
      practice_id: data.practiceId,
      patient_id: data.patientId,
      status: 'pending',
      starts_on: data.eligibilityDate,
      ends_on: data.expiryDate,
      added_at: metadata.at,
      sample: metadata.sample,
    }),
    InsuranceVerificationChanged: (row, { data: { to } }) =>
      row && {
        ...row,
        starts_on: to.eligibilityDate === undefined ? row.starts_on : to.eligibilityDate,
        ends_on: to.expiryDate === undefined ? row.ends_on : to.expiryDate,
      },
    InsuranceVerified: setStatus('verified'),
    InsuranceDenied: setStatus('denied'),
    InsuranceExpired: (row, { data }) => row && { ...row, status: 'expired', ends_on: data.expiryDate },
    InsuranceVerificationReopened: setStatus('pending'),
  },
})

type DecisionRow = {
  insight_id: string
  practice_id: string
  rule: InsightRule
  subject: string
  kind: InsightDecisionKind
  /** The grounds of the insight when it was decided. */
  grounds: readonly string[]
  /** The end of a snooze, an ISO instant in UTC. */
  until: string | null
  decided_at: string
}

type Decided = Exclude<InsightEvent, { type: 'InsightReopened' }>

const toDecision = (kind: InsightDecisionKind, { data, metadata }: Pick<Recorded<Decided>, 'data' | 'metadata'>) => ({
  insight_id: data.insightId,
  practice_id: data.practiceId,
  rule: data.rule,
  subject: data.subject,
  kind,
  grounds: data.grounds,
  until: null,
  decided_at: metadata.at,
})

/** The last decision about each insight that was dismissed, snoozed or done. */
export const insightDecisions = defineProjection<InsightEvent, DecisionRow>({
  name: 'insight_decisions',
  version: 1,
  isMetadataOnly: true,
  columns: {
    insight_id: 'uuid',
    practice_id: 'uuid',
    rule: 'text',
    subject: 'text',
    kind: 'text',
    grounds: 'text[]',
    until: 'timestamptz',
    decided_at: 'timestamptz',
  },
  key: 'insight_id',
  indexes: ['(practice_id, rule, subject)', '(practice_id, decided_at)'],
  rowOf: ({ data }) => data.insightId,
  on: {
    InsightDismissed: (_, event) => toDecision('dismissed', event),
    InsightSnoozed: (_, event) => ({ ...toDecision('snoozed', event), until: event.data.until }),
    InsightDone: (_, event) => toDecision('done', event),
    InsightReopened: () => null,
  },
})
