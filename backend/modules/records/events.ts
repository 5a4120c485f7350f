import { z } from 'zod'
import { PatientId, PracticeId } from '#contracts/values/ids.ts'
import { event, eventAbout } from '#eventstore/event.ts'

/** Fields of an event by their names. */
export type Shape = Readonly<Record<string, z.ZodType>>

/**
 * A step that moves a record from one status to another, recorded as an event with data of its own. Data with the name of a field
 * gives that field its value, too.
 */
type Transition = { readonly from: readonly string[]; readonly to: string; readonly data: Shape }

/**
 * The parts of a record's events. Stored names are written out, so that a search finds them. `patient` says if the record is
 * about one: `required`, `optional` (such as a call of an unknown person), or `none`, and then without PHI.
 */
export type RecordDefinition = {
  readonly names: { readonly created: string; readonly changed: string }
  readonly id: { readonly field: string; readonly schema: z.ZodType<string> }
  readonly patient: 'required' | 'optional' | 'none'
  /** The field in which replies name the status. */
  readonly statusField: string
  readonly fields: Shape
  readonly initialStatus: string
  readonly transitions: Readonly<Record<string, Transition>>
}

/** The values of fields. */
export type Data<S extends Shape> = { [Field in keyof S]: z.output<S[Field]> }

export type RecordId<D extends RecordDefinition> = z.output<D['id']['schema']>
export type FieldsOf<D extends RecordDefinition> = Data<D['fields']>
export type StatusOf<D extends RecordDefinition> = D['initialStatus'] | D['transitions'][keyof D['transitions']]['to']

/** The name of a transition with its data. */
export type Move<D extends RecordDefinition> = {
  [T in keyof D['transitions'] & string]: { event: T; data: Data<D['transitions'][T]['data']> }
}[keyof D['transitions'] & string]

/** The patient of a record. */
export type PatientOf<D extends RecordDefinition> = D['patient'] extends 'required' ? PatientId : PatientId | null

/** `subjectId` is the patient, or the record itself while there is none: its data key encrypts the PHI. */
type About<D extends RecordDefinition> = D['patient'] extends 'required'
  ? { patientId: PatientId }
  : D['patient'] extends 'optional'
    ? { patientId: PatientId | null; subjectId: string }
    : unknown

type Subject<D extends RecordDefinition> = { [K in D['id']['field']]: RecordId<D> } & {
  practiceId: PracticeId
} & About<D>

/** The event union of a record: created, changed, and one event for each transition. */
export type RecordEvent<D extends RecordDefinition> =
  | { type: D['names']['created']; data: Subject<D> & FieldsOf<D> }
  | { type: D['names']['changed']; data: Subject<D> & { from: Partial<FieldsOf<D>>; to: Partial<FieldsOf<D>> } }
  | {
      [T in keyof D['transitions'] & string]: { type: T; data: Subject<D> & Data<D['transitions'][T]['data']> }
    }[keyof D['transitions'] & string]

/** A definition with the schema of its events: an ordinary union, by which the store encrypts and validates. */
export type RecordEvents<D extends RecordDefinition> = {
  readonly definition: D
  readonly schema: z.ZodType<RecordEvent<D>>
}

/**
 * Declares the events of a record. Fields with `phi(…)` are encrypted with the data key of the patient, or with one of the
 * record's own while it has no patient.
 */
export function defineRecordEvents<const D extends RecordDefinition>(definition: D): RecordEvents<D> {
  const { names, id, patient, fields, transitions } = definition
  const part = z.strictObject({ ...fields }).partial()
  const declare = createDeclaration({ [id.field]: id.schema, practiceId: PracticeId }, patient)
  const created = declare(names.created, fields)
  const changed = declare(names.changed, { from: part, to: part })
  const moved = Object.entries(transitions).map(([type, { data }]) => declare(type, data))
  // The compiler does not follow names that are computed: the type is that of the definition.
  const schema = z.discriminatedUnion('type', [created, changed, ...moved]) as unknown as z.ZodType<RecordEvent<D>>
  return { definition, schema }
}

/** Returns the function that declares an event of a record: `ids`, its patient, and its own data. */
function createDeclaration(ids: Shape, patient: RecordDefinition['patient']) {
  if (patient === 'none') return (type: string, data: Shape) => event(type, { ...ids, ...data })
  if (patient === 'required') {
    const about = eventAbout('patientId')
    return (type: string, data: Shape) => about(type, { ...ids, patientId: PatientId, ...data })
  }
  const about = eventAbout('subjectId')
  return (type: string, data: Shape) =>
    about(type, { ...ids, patientId: PatientId.nullable(), subjectId: z.uuid(), ...data })
}
