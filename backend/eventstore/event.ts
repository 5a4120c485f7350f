import { z } from 'zod'
import { UserId } from '#contracts/values/ids.ts'
import { Role } from '#contracts/values/roles.ts'

/** Who did it: a person, with the role they had at that moment, or a named process of ours. */
export const Actor = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('user'), userId: UserId, role: Role }),
  z.object({ kind: z.literal('process'), name: z.string().min(1) }),
])
export type Actor = z.infer<typeof Actor>

/**
 * What is known of every event beside its data. A closed type that only the command bus fills. Never holds names,
 * e-mails or health data.
 */
export const Metadata = z.strictObject({
  /** The practice it belongs to; null for what happens outside of any, such as a registration. */
  practiceId: z.string().min(1).nullable(),
  actor: Actor,
  /** The request or job that everything of one action shares. */
  correlationId: z.string().min(1),
  /** The event or request that led to this one. */
  causationId: z.string().min(1),
  /** When it happened, an ISO instant in UTC. */
  at: z.iso.datetime(),
  /** The version of the event's schema its data was written in; read through `upcasting` it is always today's. */
  schemaVersion: z.number().int().min(1),
  /** Whether it belongs to the sample practice of a demo user. */
  sample: z.boolean(),
})
export type Metadata = z.infer<typeof Metadata>

export type EventData = { readonly [field: string]: unknown }

/** One fact in the past tense, as deciders make it. */
export type DomainEvent = { readonly type: string; readonly data: EventData }

/** A fact on its way into the store. `id` is a UUID; the same id is never written twice. */
export type NewEvent = DomainEvent & { readonly id: string; readonly metadata: Metadata }

/** Where an event stands in the whole record. Opaque; positions of one store sort as strings. */
export type Position = string

/** A fact as the store gives it back. */
export type Recorded<Event extends DomainEvent = DomainEvent> = Event & {
  readonly id: string
  readonly stream: string
  /** Counts from 0 within its stream. */
  readonly revision: bigint
  readonly position: Position
  readonly metadata: Metadata
  /** When the store wrote it, an ISO instant in UTC. */
  readonly recordedAt: string
  /** Written by a newer Everchart: its data has a shape that nobody here knows, and must not be folded. */
  readonly isNewer?: true
}

/** An event that a newer Everchart wrote would have to be folded by this one. What needs it cannot go on here. */
export class UnsupportedEventVersion extends Error {
  override readonly name = 'NewerEvent'
  /** Which version it is; no data. */
  readonly code: string
  constructor({ type, metadata }: Recorded) {
    super(`${type} in version ${metadata.schemaVersion} was written by a newer Everchart than this one`)
    this.code = `version ${metadata.schemaVersion}`
  }
}

const phiSchemas = z.registry<{ phi: true }>()

/**
 * Marks a field of an event that identifies a patient or describes health (HIPAA's PHI), so that it can be found and
 * encrypted per patient. Returns the schema it was given.
 */
export function phi<Schema extends z.ZodType>(schema: Schema): Schema {
  phiSchemas.add(schema, { phi: true })
  return schema
}

/** Whether a field was declared with `phi(…)`. */
export const isPhi = (schema: z.ZodType): boolean => phiSchemas.has(schema)

const schemaVersions = z.registry<{ version: number }>()

/**
 * Declares one event: its past-tense name and the data it carries. `version` goes up with every change that is not
 * additive, together with an `upcaster` from the version before; `npm run golden` tells which changes are.
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

/** The version in which an event is written today. */
export const getSchemaVersion = (schema: z.ZodType): number => schemaVersions.get(schema)?.version ?? 1

/**
 * How an event of one version is read as one of the next. Steps follow one another: who raises a version for the third
 * time writes one step, and the two that are there stay as they are.
 */
export type Upcaster = {
  readonly type: string
  readonly version: number
  /** What it is in version + 1: the same name, unless the event was renamed. */
  readonly toType: string
  /** Pure. A field marked `phi(…)` is null once its patient's key was destroyed, whatever the schema says. */
  readonly upcast: (data: EventData, metadata: Metadata) => EventData
}

/**
 * Declares, beside the events, how what was stored in `version` is read as version + 1, under another name if the event
 * is called otherwise since. Belongs in the manifest's `upcasters`.
 */
export const upcaster = (
  type: string,
  version: number,
  change: Upcaster['upcast'],
  { becomes: toType = type }: { becomes?: string } = {},
): Upcaster => ({ type, version, toType: toType, upcast: change })

const subjectFields = z.registry<{ subject: string }>()

/**
 * Declares events whose `phi(…)` fields are sealed with the key of the one whom a field names: `eventAbout('patientId')`.
 * The field itself stays open.
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

/** The field of an event that says by whose key its `phi(…)` fields are sealed. */
export const getSubjectField = (schema: z.ZodType): string | undefined => subjectFields.get(schema)?.subject
