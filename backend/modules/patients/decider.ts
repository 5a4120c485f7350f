import { emptyPatientFields, type PatientField, type PatientFields } from '#contracts/patients.ts'
import type { ImportId, PatientId, PracticeId } from '#contracts/values/ids.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { patientDetails, PatientEvent, recordFields } from './events.ts'

/** What can be asked of a patient's record. `today` is YYYY-MM-DD in the practice's time zone; phones are E.164. */
export type PatientCommand =
  | {
      type: 'Register'
      patientId: PatientId
      practiceId: PracticeId
      patient: PatientFields
      today: string
      /** Set when an import brings the patient; `importRow` counts as a spreadsheet does, the heading is row 1. */
      importId?: ImportId
      importRow?: number
    }
  | { type: 'Change'; practiceId: PracticeId; change: Partial<PatientFields>; today: string }
  | { type: 'Remove'; practiceId: PracticeId; reason: 'deleted' | 'erased' | 'sample-removed' }
  /** Takes back what an import brought, unless somebody has worked on it since. */
  | { type: 'Remove'; practiceId: PracticeId; reason: 'import-undone'; importId: ImportId }
  /** A patient of the sample practice becomes one of the practice. Who is one is known to whoever asks. */
  | { type: 'KeepSample'; practiceId: PracticeId }

/** A patient's record as it stands. */
export type PatientState =
  | { status: 'unknown' }
  | {
      status: 'registered'
      patientId: PatientId
      practiceId: PracticeId
      importId: ImportId | null
      /** Whether anything happened since the registration. */
      touched: boolean
      patient: PatientFields
    }
  | {
      status: 'removed'
      practiceId: PracticeId
      reason: Extract<PatientEvent, { type: 'PatientRemoved' }>['data']['reason']
    }

/**
 * `not-found`: not there, removed, or of another practice. `touched`: worked on since the import, so it stays.
 * `in-the-future` and `died-before-birth` name the field at fault.
 */
export type PatientRefusal = 'already-registered' | 'not-found' | 'touched' | 'in-the-future' | 'died-before-birth'

/** The rules of a patient's record. */
export const patientDecider: Decider<PatientCommand, PatientEvent, PatientState, PatientRefusal> = {
  category: 'patient',
  events: PatientEvent,
  initial: { status: 'unknown' },
  decide,
  evolve,
}

type Of<Type> = Extract<PatientCommand, { type: Type }>
type Registered = Extract<PatientState, { status: 'registered' }>
type Decision = readonly PatientEvent[] | ReturnType<typeof reject<PatientRefusal>>

function decide(command: PatientCommand, state: PatientState): Decision {
  if (command.type === 'Register') return register(command, state)
  if (state.status === 'unknown' || state.practiceId !== command.practiceId) return notFound()
  if (state.status === 'removed')
    return command.type === 'Remove' && command.reason === state.reason && command.reason !== 'deleted'
      ? []
      : notFound()
  if (command.type === 'KeepSample') return [{ type: 'SamplePatientKept', data: { patientId: state.patientId } }]
  return command.type === 'Change' ? change(command, state) : remove(command, state)
}

const notFound = () => reject('not-found', 'There is no such patient.')

function register(command: Of<'Register'>, state: PatientState): Decision {
  const { patientId, practiceId, patient, today, importId = null, importRow = null } = command
  if (state.status !== 'unknown') {
    const repeated = state.status === 'registered' && importId !== null && state.importId === importId
    return repeated ? [] : reject('already-registered', 'This patient is registered already.')
  }
  return (
    impossibleDates(patient, patient, today) ?? [
      {
        type: 'PatientRegistered',
        data: { patientId, practiceId, ...pick(patient, registeredFields), importId, importRow },
      },
    ]
  )
}

/** Only what is being set is held against today; what belongs together is held against each other. */
function impossibleDates(changed: Partial<PatientFields>, after: PatientFields, today: string) {
  for (const field of ['dateOfBirth', 'deceasedOn'] as const) {
    const date = changed[field]
    if (date && date > today) return reject<PatientRefusal>('in-the-future', 'Must not be in the future', field)
  }
  const { dateOfBirth, deceasedOn } = after
  if (!dateOfBirth || !deceasedOn || deceasedOn >= dateOfBirth) return undefined
  return 'deceasedOn' in changed
    ? reject<PatientRefusal>('died-before-birth', 'Must not be before the date of birth', 'deceasedOn')
    : reject<PatientRefusal>('died-before-birth', 'Must not be after the date of death', 'dateOfBirth')
}

const demographics = ['firstName', 'lastName', 'dateOfBirth', 'gender'] as const
const contact = ['email', 'phone', 'address'] as const
type DetailField = Exclude<PatientField, (typeof demographics)[number] | (typeof contact)[number] | 'deceasedOn'>

// These two lines do not compile when a field of the contract is missing in events.ts.
const registeredFields = Object.keys(recordFields satisfies Record<PatientField, unknown>) as readonly PatientField[]
const detailFields = Object.keys(patientDetails satisfies Record<DetailField, unknown>) as readonly DetailField[]

function change({ change: sent, today }: Of<'Change'>, { patientId, patient }: Registered): Decision {
  const isChanged = (field: PatientField) =>
    sent[field] !== undefined && JSON.stringify(sent[field]) !== JSON.stringify(patient[field])
  const changed = pick(sent, registeredFields.filter(isChanged))
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
  for (const field of detailFields.filter((each) => each in changed))
    events.push({ type: patientDetails[field], data: { patientId, [field]: changed[field] } } as PatientEvent)
  const { deceasedOn } = changed
  if (deceasedOn !== undefined) events.push(death(patientId, patient.deceasedOn, deceasedOn))
  return events
}

/** A change always differs from what was, so one of the two is a date. */
const death = (patientId: PatientId, from: string | null, to: string | null): PatientEvent =>
  from === null
    ? { type: 'PatientDeathRecorded', data: { patientId, deceasedOn: to ?? '' } }
    : { type: 'PatientDeathCorrected', data: { patientId, from, to } }

function remove(command: Of<'Remove'>, { patientId, importId, touched, patient }: Registered): Decision {
  if (command.reason === 'import-undone') {
    if (importId !== command.importId) return notFound()
    if (touched) return reject('touched', 'Somebody has worked on this patient since the import.')
  }
  const { firstName, lastName } = patient
  return [{ type: 'PatientRemoved', data: { patientId, reason: command.reason, firstName, lastName } }]
}

function evolve(state: PatientState, event: PatientEvent): PatientState {
  if (event.type === 'PatientRegistered') {
    const { patientId, practiceId, importId, importRow: _row, ...fields } = event.data
    if (isErased(event)) return { status: 'removed', practiceId, reason: 'erased' }
    const patient = { ...emptyPatientFields, ...fields }
    return { status: 'registered', patientId, practiceId, importId, touched: false, patient }
  }
  if (state.status !== 'registered') return state
  if (event.type === 'PatientRemoved')
    return { status: 'removed', practiceId: state.practiceId, reason: event.data.reason }
  return { ...state, touched: true, patient: { ...state.patient, ...changedFields(event) } }
}

/** Whether nobody can read any more who was registered: a patient always has a name. */
export const isErased = ({ data }: Extract<PatientEvent, { type: 'PatientRegistered' }>): boolean =>
  (data.firstName as string | null) === null

/** The fields an event gives a new value, as they are after it; none for a registration or a removal. */
export function changedFields(event: PatientEvent): Partial<PatientFields> {
  switch (event.type) {
    case 'PatientDemographicsCorrected':
    case 'PatientContactChanged':
      return event.data.to as Partial<PatientFields>
    case 'PatientDeathCorrected':
      return { deceasedOn: event.data.to }
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
