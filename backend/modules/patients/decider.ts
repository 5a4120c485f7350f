import { emptyPatientFields, type PatientField, type PatientFields } from '#contracts/patients.ts'
import type { ImportId, PatientId, PracticeId } from '#contracts/values/ids.ts'
import { type Decider, type MarkedEvent, reject } from '#eventstore/decider.ts'
import { applyAllergies, readStatus } from './allergies.ts'
import { patientDetails, PatientEvent, recordFields } from './events.ts'

/** The commands for a patient's record. `today` is YYYY-MM-DD in the practice's time zone; phones are E.164. */
export type PatientCommand =
  | {
      type: 'Register'
      patientId: PatientId
      practiceId: PracticeId
      patient: PatientFields
      today: string
      /** The import that creates the patient, and its row. `importRow` counts like a spreadsheet: the heading is row 1. */
      importId?: ImportId
      importRow?: number
    }
  | { type: 'Change'; practiceId: PracticeId; change: Partial<PatientFields>; today: string }
  | { type: 'Remove'; practiceId: PracticeId; reason: 'deleted' | 'erased' }
  /** Removes a patient that an import created, unless the record has been edited since. */
  | { type: 'Remove'; practiceId: PracticeId; reason: 'import-undone'; importId: ImportId }
  /** Removes a patient of the sample practice. */
  | { type: 'RemoveSample'; practiceId: PracticeId }
  /** Turns a patient of the sample practice into a patient of the practice. */
  | { type: 'KeepSample'; practiceId: PracticeId }

/** The state of a patient's record. */
export type PatientState =
  | { status: 'unknown' }
  | {
      status: 'registered'
      patientId: PatientId
      practiceId: PracticeId
      importId: ImportId | null
      /** `kept`: was a sample, and belongs to the practice now. */
      origin: 'practice' | 'sample' | 'kept'
      /** True when there are events after the registration. */
      isEdited: boolean
      patient: PatientFields
    }
  | {
      status: 'removed'
      practiceId: PracticeId
      reason: RemovalReason
    }

type RemovalReason = Extract<PatientEvent, { type: 'PatientRemoved' }>['data']['reason']

/**
 * `not-found`: missing, removed, or of another practice. `edited`: edited since the import, so it is kept.
 * `not-a-sample`: only samples can be removed or kept as samples. `in-the-future`, `died-before-birth` and
 * `allergies-contradict` (a status that does not fit the list) name the field.
 */
export type PatientRejection =
  | 'already-registered'
  | 'not-found'
  | 'edited'
  | 'not-a-sample'
  | 'in-the-future'
  | 'died-before-birth'
  | 'allergies-contradict'

/** The rules for a patient's record. */
export const patientDecider: Decider<PatientCommand, PatientEvent, PatientState, PatientRejection> = {
  category: 'patient',
  events: PatientEvent,
  initial: { status: 'unknown' },
  decide,
  evolve,
}

type Of<Type> = Extract<PatientCommand, { type: Type }>
type Registered = Extract<PatientState, { status: 'registered' }>
type Decision = readonly PatientEvent[] | ReturnType<typeof reject<PatientRejection>>

function decide(command: PatientCommand, state: PatientState): Decision {
  if (command.type === 'Register') return register(command, state)
  if (state.status === 'unknown' || state.practiceId !== command.practiceId) return notFound()
  if (state.status === 'removed') return isRepeatedRemoval(command, state.reason) ? [] : notFound()
  switch (command.type) {
    case 'Change':
      return change(command, state)
    case 'Remove':
      return remove(command, state)
    case 'RemoveSample':
      return removeSample(state)
    case 'KeepSample':
      return keepSample(state)
  }
}

/** A second deletion by a user is not a repetition: it is answered with `not-found`. */
const isRepeatedRemoval = (command: PatientCommand, reason: RemovalReason): boolean =>
  command.type === 'RemoveSample'
    ? reason === 'sample-removed'
    : command.type === 'Remove' && command.reason === reason && reason !== 'deleted'

const notFound = () => reject('not-found', 'There is no such patient.')

function register(command: Of<'Register'>, state: PatientState): Decision {
  const { patientId, practiceId, patient, today, importId = null, importRow = null } = command
  if (state.status !== 'unknown') {
    const repeated = state.status === 'registered' && importId !== null && state.importId === importId
    return repeated ? [] : reject('already-registered', 'This patient is already registered.')
  }
  // The status `unknown` of a form that only sends a list is not a contradiction.
  const { allergiesStatus } = patient
  const allergies = applyAllergies(patient, allergiesStatus === 'unknown' ? {} : { allergiesStatus })
  if (!allergies) return allergiesContradict(allergiesStatus)
  const refusal = impossibleDates(patient, patient, today)
  if (refusal) return refusal
  const fields = { ...pick(patient, registeredFields), ...allergies }
  return [
    {
      type: 'PatientRegistered',
      data: { patientId, practiceId, ...fields, importId, importRow },
    },
  ]
}

/** Checks the changed dates against today, and the dates of birth and death against each other. */
function impossibleDates(changed: Partial<PatientFields>, after: PatientFields, today: string) {
  for (const field of ['dateOfBirth', 'deceasedOn'] as const) {
    const date = changed[field]
    if (date && date > today) return reject<PatientRejection>('in-the-future', 'Must not be in the future', field)
  }
  const { dateOfBirth, deceasedOn } = after
  if (!dateOfBirth || !deceasedOn || deceasedOn >= dateOfBirth) return undefined
  return 'deceasedOn' in changed
    ? reject<PatientRejection>('died-before-birth', 'Must not be before the date of birth', 'deceasedOn')
    : reject<PatientRejection>('died-before-birth', 'Must not be after the date of death', 'dateOfBirth')
}

const demographics = ['firstName', 'lastName', 'dateOfBirth', 'gender'] as const
const contact = ['email', 'phone', 'address'] as const
type DetailField = Exclude<
  PatientField,
  (typeof demographics)[number] | (typeof contact)[number] | 'allergiesStatus' | 'deceasedOn'
>

// These two lines do not compile when a field of the contract is missing in events.ts.
const registeredFields = Object.keys(recordFields satisfies Record<PatientField, unknown>) as readonly PatientField[]
const detailFields = Object.keys(patientDetails satisfies Record<DetailField, unknown>) as readonly DetailField[]

function change({ change: sent, today }: Of<'Change'>, { patientId, patient }: Registered): Decision {
  const allergies = applyAllergies(patient, sent)
  if (!allergies) return allergiesContradict(sent.allergiesStatus)
  const wanted = { ...sent, ...allergies }
  const isChanged = (field: PatientField) =>
    wanted[field] !== undefined && JSON.stringify(wanted[field]) !== JSON.stringify(patient[field])
  const changed = pick(wanted, registeredFields.filter(isChanged))
  const after = { ...patient, ...changed }
  const refusal = impossibleDates(changed, after, today)
  if (refusal) return refusal

  const events: PatientEvent[] = []
  const corrected = demographics.filter((field) => field in changed)
  if (corrected.length > 0) {
    const data = { patientId, from: pick(patient, corrected), to: pick(after, corrected) }
    events.push({ type: 'PatientDemographicsCorrected', data })
  }
  const changedContact = contact.filter((field) => field in changed)
  if (changedContact.length > 0) {
    const data = { patientId, from: pick(patient, changedContact), to: pick(after, changedContact) }
    events.push({ type: 'PatientContactChanged', data })
  }
  const isDetailChanged = (field: DetailField) =>
    field in changed || (field === 'allergies' && 'allergiesStatus' in changed)
  for (const field of detailFields.filter(isDetailChanged)) {
    events.push({ type: patientDetails[field], data: { patientId, ...describeDetail(field, after) } } as PatientEvent)
  }
  const { deceasedOn } = changed
  if (deceasedOn !== undefined) events.push(death(patientId, patient.deceasedOn, deceasedOn))
  return events
}

/** Returns the data of the event for a changed field of the record. */
function describeDetail(field: DetailField, after: PatientFields): object {
  const { allergies, allergiesStatus, medications } = after
  if (field === 'allergies') return { allergies, allergiesStatus, knownMedications: medications }
  return { [field]: after[field], ...(field === 'medications' ? { knownAllergies: allergies } : {}) }
}

const allergiesContradict = (status: PatientFields['allergiesStatus'] | undefined) =>
  status === 'listed'
    ? reject<PatientRejection>('allergies-contradict', 'Please name the allergies', 'allergies')
    : reject<PatientRejection>('allergies-contradict', 'Remove the listed allergies first', 'allergiesStatus')

/** Returns the event for a changed date of death. The two dates differ, so one of them is not null. */
const death = (patientId: PatientId, from: string | null, to: string | null): PatientEvent =>
  from === null
    ? { type: 'PatientDeathRecorded', data: { patientId, deceasedOn: to ?? '' } }
    : { type: 'PatientDeathCorrected', data: { patientId, from, to } }

function remove(command: Of<'Remove'>, state: Registered): Decision {
  if (command.reason === 'import-undone') {
    if (state.importId !== command.importId) return notFound()
    if (state.isEdited) return reject('edited', 'This patient was edited after the import.')
  }
  return removed(state, command.reason)
}

const removeSample = (state: Registered): Decision =>
  state.origin === 'sample' ? removed(state, 'sample-removed') : notASample()

function removed({ patientId, patient: { firstName, lastName } }: Registered, reason: RemovalReason): Decision {
  return [{ type: 'PatientRemoved', data: { patientId, reason, firstName, lastName } }]
}

function keepSample({ patientId, origin }: Registered): Decision {
  if (origin === 'kept') return []
  return origin === 'sample' ? [{ type: 'SamplePatientKept', data: { patientId } }] : notASample()
}

const notASample = () => reject('not-a-sample', 'This patient does not belong to the sample practice.')

function evolve(state: PatientState, event: MarkedEvent<PatientEvent>): PatientState {
  if (event.type === 'PatientRegistered') {
    const { patientId, practiceId, importId } = event.data
    if (isErased(event)) return { status: 'removed', practiceId, reason: 'erased' }
    const patient = readRegistered(event)
    const origin = event.metadata?.sample ? 'sample' : 'practice'
    return { status: 'registered', patientId, practiceId, importId, origin, isEdited: false, patient }
  }
  if (state.status !== 'registered') return state
  if (event.type === 'PatientRemoved')
    return { status: 'removed', practiceId: state.practiceId, reason: event.data.reason }
  const origin = event.type === 'SamplePatientKept' ? 'kept' : state.origin
  return { ...state, origin, isEdited: true, patient: { ...state.patient, ...changedFields(event) } }
}

/** Returns whether the patient's data key was destroyed: a name is never null otherwise. */
export const isErased = ({ data }: Extract<PatientEvent, { type: 'PatientRegistered' }>): boolean =>
  (data.firstName as string | null) === null

/** Returns the fields of a registration. Those that did not exist yet when it was recorded are empty. */
export function readRegistered({ data }: Extract<PatientEvent, { type: 'PatientRegistered' }>): PatientFields {
  const { patientId: _id, practiceId: _practice, importId: _import, importRow: _row, ...fields } = data
  return { ...emptyPatientFields, ...fields, allergiesStatus: readStatus(fields) }
}

/** Returns the fields that an event changes, with their new values; none for a registration or a removal. */
export function changedFields(event: PatientEvent): Partial<PatientFields> {
  switch (event.type) {
    case 'PatientDemographicsCorrected':
    case 'PatientContactChanged':
      return event.data.to as Partial<PatientFields>
    case 'PatientDeathCorrected':
      return { deceasedOn: event.data.to }
    case 'PatientAllergiesChanged':
      return { allergies: event.data.allergies, allergiesStatus: readStatus(event.data) }
    case 'PatientMedicationsChanged':
      return { medications: event.data.medications }
    case 'PatientRegistered':
    case 'PatientRemoved':
    case 'SamplePatientKept':
      return {}
    default: {
      const { patientId: _patientId, ...fields } = event.data
      return fields
    }
  }
}

function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>
}
