import { z } from 'zod'
import { UserId } from '#contracts/values/ids.ts'
import { Role } from '#contracts/values/roles.ts'

/** Actor of an event: a user, with the role they had at that moment, or a named process. */
export const Actor = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('user'), userId: UserId, role: Role }),
  z.object({ kind: z.literal('process'), name: z.string().min(1) }),
])
export type Actor = z.infer<typeof Actor>

/** Metadata of every event. A closed type that only the command bus fills. Never holds names, e-mails or health data. */
export const Metadata = z.strictObject({
  /** Id of the practice; null for events outside of any practice, such as a registration. */
  practiceId: z.string().min(1).nullable(),
  actor: Actor,
  /** Id shared by all events that one request or job causes. */
  correlationId: z.string().min(1),
  /** Id of the event or request that caused this event. */
  causationId: z.string().min(1),
  /** Time at which it happened, an ISO instant in UTC. */
  at: z.iso.datetime(),
  /** Schema version of the stored data; always the current one when read through `upcastingStore`. */
  schemaVersion: z.number().int().min(1),
  /** True for events of a demo user's sample practice. */
  sample: z.boolean(),
})
export type Metadata = z.infer<typeof Metadata>

export type EventData = { readonly [field: string]: unknown }

/** An event as deciders return it, named in the past tense. */
export type DomainEvent = { readonly type: string; readonly data: EventData }

/** An event to append. `id` is a UUID; the same id is never written twice. */
export type NewEvent = DomainEvent & { readonly id: string; readonly metadata: Metadata }

/** Position of an event in the whole history. Opaque; positions of one store sort as strings. */
export type Position = string

/** An event as the store returns it. */
export type Recorded<Event extends DomainEvent = DomainEvent> = Event & {
  readonly id: string
  readonly stream: string
  /** Index within its stream, from 0. */
  readonly revision: bigint
  readonly position: Position
  readonly metadata: Metadata
  /** Time at which the store wrote it, an ISO instant in UTC. */
  readonly recordedAt: string
  /** Written by a newer version of the app: the shape of its data is unknown here, and it must not be folded. */
  readonly isNewer?: true
}

/** An event written by a newer version of the app cannot be folded by this one. A projection that handles it stops here. */
export class UnsupportedEventVersion extends Error {
  override readonly name = 'UnsupportedEventVersion'
  /** Names the version; contains no event data. */
  readonly code: string
  constructor({ type, metadata }: Recorded) {
    super(`${type} in version ${metadata.schemaVersion} was written by a newer version of Everchart`)
    this.code = `version ${metadata.schemaVersion}`
  }
}

const phiSchemas = z.registry<{ phi: true }>()

/**
 * Marks a field of an event that identifies a patient or describes health (protected health information, HIPAA), so that
 * it is encrypted with the patient's key. Returns the schema it was given.
 */
export function phi<Schema extends z.ZodType>(schema: Schema): Schema {
  phiSchemas.add(schema, { phi: true })
  return schema
}

/** Returns whether a field is declared with `phi(…)`. */
export const isPhi = (schema: z.ZodType): boolean => phiSchemas.has(schema)

const schemaVersions = z.registry<{ version: number }>()

/**
 * Declares an event: its past-tense type and its data. Every change that is not additive raises `version` and needs an
 * `upcaster` from the previous version; `npm run golden` reports which changes are not additive.
 */
export function event<Type extends string, Shape extends z.ZodRawShape>(
  type: Type,
  shape: Shape,
  { version = 1 }: { version?: number } = {},
) {
  const schema = z.object({ type: z.literal(type), data: z.strictObject(shape) })
  schemaVersions.add(schema, { version })
  return schema
}

/** Returns the current schema version of an event. */
export const getSchemaVersion = (schema: z.ZodType): number => schemaVersions.get(schema)?.version ?? 1

/**
 * Converts stored events of one version to the next. Upcasters are chained: each new version adds one, and the existing
 * ones stay as they are.
 */
export type Upcaster = {
  readonly type: string
  readonly version: number
  /** Event type in version + 1: the same, unless the event was renamed. */
  readonly toType: string
  /** Pure function. A `phi(…)` field is null once its patient's key was destroyed, whatever the schema says. */
  readonly upcast: (data: EventData, metadata: Metadata) => EventData
}

/**
 * Declares, next to the events, the conversion of events stored in `version` to version + 1; `becomes` is the event's new
 * type when it was renamed. Belongs in the module manifest's `upcasters`.
 */
export const upcaster = (
  type: string,
  version: number,
  upcast: Upcaster['upcast'],
  { becomes: toType = type }: { becomes?: string } = {},
): Upcaster => ({ type, version, toType, upcast })

const subjectFields = z.registry<{ subject: string }>()

/**
 * Declares events whose `phi(…)` fields are encrypted with the data key of the subject that a field identifies:
 * `eventAbout('patientId')`. That field itself stays plain.
 */
export const eventAbout =
  <Subject extends string>(subject: Subject) =>
  <Type extends string, Shape extends z.ZodRawShape & Record<Subject, z.ZodType>>(
    type: Type,
    shape: Shape,
    options: { version?: number } = {},
  ) => {
    const declared = event(type, shape, options)
    subjectFields.add(declared, { subject })
    return declared
  }

/** Returns the field that identifies the subject whose key encrypts the `phi(…)` fields. */
export const getSubjectField = (schema: z.ZodType): string | undefined => subjectFields.get(schema)?.subject
