import { z } from 'zod'
import { type EventData, isPhi, subjectFieldOf } from '#eventstore/event.ts'
import { type EventSchema, typeOf } from '#eventstore/event-schemas.ts'

/** What an event says openly, and beside it what identifies a patient or describes health; undefined when nothing does. */
export type Taken = { open: unknown; taken: unknown }

type Take = (value: unknown) => Taken

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** How the marked fields are taken out of a value of this schema; null when it has none. */
function takerOf(schema: z.ZodType, path: string): Take | null {
  if (isPhi(schema)) return (value) => ({ open: value === undefined ? undefined : null, taken: value })
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return takerOf(schema.unwrap() as z.ZodType, path)
  if (schema instanceof z.ZodArray) {
    const take = takerOf(schema.element as z.ZodType, `${path}[]`)
    return take && ((value) => (Array.isArray(value) ? fromArray(value, take) : { open: value, taken: undefined }))
  }
  if (schema instanceof z.ZodObject) {
    const takers = new Map<string, Take>()
    for (const [key, field] of Object.entries(schema.shape as Record<string, z.ZodType>)) {
      const take = takerOf(field, `${path}.${key}`)
      if (take) takers.set(key, take)
    }
    if (takers.size === 0) return null
    return (value) => (isObject(value) ? fromObject(value, takers) : { open: value, taken: undefined })
  }
  const options = schema instanceof z.ZodUnion ? (schema.options as z.ZodType[]) : []
  if (options.some((option) => takerOf(option, path)))
    throw new TypeError(`${path}: mark the whole field with phi(…), not one of its alternatives`)
  return null
}

function fromArray(value: readonly unknown[], take: Take): Taken {
  const parts = value.map(take)
  if (parts.every(({ taken }) => taken === undefined)) return { open: value, taken: undefined }
  return { open: parts.map(({ open }) => open), taken: parts.map(({ taken }) => taken ?? null) }
}

function fromObject(value: Record<string, unknown>, takers: ReadonlyMap<string, Take>): Taken {
  const open: Record<string, unknown> = {}
  let taken: Record<string, unknown> | undefined
  for (const [key, field] of Object.entries(value)) {
    const part = takers.get(key)?.(field) ?? { open: field, taken: undefined }
    open[key] = part.open
    if (part.taken !== undefined) (taken ??= {})[key] = part.taken
  }
  return { open, taken }
}

/**
 * Puts back what was taken out. Wherever something is missing there is a null in its place, so no schema is needed: what
 * was sealed by one version of the app is opened by any other. Changes what is open.
 */
export function putBack(open: unknown, taken: unknown): unknown {
  if (open === null) return taken
  if (Array.isArray(open) && Array.isArray(taken)) return open.map((part, index) => putBack(part, taken[index]))
  if (!isObject(open) || !isObject(taken)) return open
  for (const key of Object.keys(taken)) open[key] = putBack(open[key], taken[key])
  return open
}

/** How one event is taken apart: by whose key its marked fields are sealed, and what they are. */
export type PhiFields = { subjectOf(data: EventData): string; take(data: EventData): Taken }

/**
 * The events that have marked fields, by name. Throws TypeError for one that does not say whose they are, or that marks
 * them where they cannot be found again.
 */
export function phiFields(schemas: readonly EventSchema[]): ReadonlyMap<string, PhiFields> {
  const found = new Map<string, PhiFields>()
  for (const schema of schemas) {
    const type = typeOf(schema)
    const take = takerOf(schema.shape.data, type)
    if (!take) continue
    const field = subjectFieldOf(schema)
    if (field === undefined) throw new TypeError(`${type} has phi(…) fields: declare it with eventAbout(…)`)
    const subjectOf = (data: EventData) => {
      const subject = data[field]
      if (typeof subject !== 'string' || !/^[\w-]+$/.test(subject))
        throw new TypeError(`${type} does not say whose it is`)
      return subject
    }
    found.set(type, { subjectOf, take })
  }
  return found
}
