import { z } from 'zod'
import { PatientId, PracticeId } from '#contracts/values/ids.ts'
import { eventAbout } from '#eventstore/event.ts'

/** Fields of an event by their names. */
export type Shape = Readonly<Record<string, z.ZodType>>

/** A step that moves a record from one status to another, recorded as an event with data of its own. */
type Transition = { readonly from: readonly string[]; readonly to: string; readonly data: Shape }

/** The parts of a record's events. Stored names are written out, so that a search finds them. */
export type RecordDefinition = {
  readonly names: { readonly created: string; readonly changed: string }
  readonly id: { readonly field: string; readonly schema: z.ZodType<string> }
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

type Subject<D extends RecordDefinition> = { [K in D['id']['field']]: RecordId<D> } & {
  practiceId: PracticeId
  patientId: PatientId
}

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

/** Declares the events of a record about a patient. Fields with `phi(…)` are encrypted with the patient's data key. */
export function defineRecordEvents<const D extends RecordDefinition>(definition: D): RecordEvents<D> {
  const { names, id, fields, transitions } = definition
  const aboutPatient = eventAbout('patientId')
  const subject = { [id.field]: id.schema, practiceId: PracticeId, patientId: PatientId }
  const part = z.strictObject({ ...fields }).partial()
  const created = aboutPatient(names.created, { ...subject, ...fields })
  const changed = aboutPatient(names.changed, { ...subject, from: part, to: part })
  const moved = Object.entries(transitions).map(([type, { data }]) => aboutPatient(type, { ...subject, ...data }))
  // The compiler does not follow names that are computed: the type is that of the definition.
  const schema = z.discriminatedUnion('type', [created, changed, ...moved]) as unknown as z.ZodType<RecordEvent<D>>
  return { definition, schema }
}
