import { z } from 'zod'
import { UserId } from '#contracts/values/ids.ts'
import { Role } from '#contracts/values/roles.ts'

/** Who did it: a person, with the role they had at that moment, or a named process of ours. */
export const Actor = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('user'), userId: UserId, role: Role }),
  z.object({ kind: z.literal('process'), name: z.string() }),
])
export type Actor = z.infer<typeof Actor>

/**
 * What is known of every event beside its data. A closed type that only the command bus fills. Never holds names,
 * e-mails or health data.
 */
export type Metadata = {
  /** The practice it belongs to; null for what happens outside of any, such as a registration. */
  practiceId: string | null
  actor: Actor
  /** The request or job that everything of one action shares. */
  correlationId: string
  /** The event or request that led to this one. */
  causationId: string
  /** When it happened, an ISO instant in UTC. */
  at: string
  schemaVersion: number
  /** Whether it belongs to the sample practice of a demo user. */
  sample: boolean
}

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
}

const identifying = z.registry<{ phi: true }>()

/**
 * Marks a field of an event that identifies a patient or describes health (HIPAA's PHI), so that it can be found and
 * encrypted per patient. Returns the schema it was given.
 */
export function phi<Schema extends z.ZodType>(schema: Schema): Schema {
  identifying.add(schema, { phi: true })
  return schema
}

/** Whether a field was declared with `phi(…)`. */
export const isPhi = (schema: z.ZodType): boolean => identifying.has(schema)

/** Declares one event: its past-tense name and the data it carries. */
export const event = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), data: z.strictObject(shape) })

const subjects = z.registry<{ subject: string }>()

/**
 * Declares events whose `phi(…)` fields are sealed with the key of the one whom a field names: `eventAbout('patientId')`.
 * The field itself stays open.
 */
export const eventAbout =
  <Subject extends string>(subject: Subject) =>
  <Type extends string, Shape extends z.ZodRawShape & Record<Subject, z.ZodType>>(type: Type, shape: Shape) => {
    const declared = event(type, shape)
    subjects.add(declared, { subject })
    return declared
  }

/** The field of an event that says by whose key its `phi(…)` fields are sealed. */
export const subjectFieldOf = (schema: z.ZodType): string | undefined => subjects.get(schema)?.subject
