import { z } from 'zod'
import { type EventData, isPhi, getSubjectField } from '#eventstore/event.ts'
import { type EventSchema, getEventType } from '#eventstore/event-schemas.ts'

/** What an event says openly, and beside it what identifies a patient or describes health; undefined when nothing does. */
export type SplitEvent = { plain: unknown; phi: unknown }

type PhiExtractor = (value: unknown) => SplitEvent

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** How the marked fields are taken out of a value of this schema; null when it has none. */
function phiExtractor(schema: z.ZodType, path: string): PhiExtractor | null {
  if (isPhi(schema)) return (value) => ({ plain: value === undefined ? undefined : null, phi: value })
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return phiExtractor(schema.unwrap() as z.ZodType, path)
  if (schema instanceof z.ZodArray) {
    const take = phiExtractor(schema.element as z.ZodType, `${path}[]`)
    return take && ((value) => (Array.isArray(value) ? splitArray(value, take) : { plain: value, phi: undefined }))
  }
  if (schema instanceof z.ZodObject) {
    const takers = new Map<string, PhiExtractor>()
    for (const [key, field] of Object.entries(schema.shape as Record<string, z.ZodType>)) {
      const take = phiExtractor(field, `${path}.${key}`)
      if (take) takers.set(key, take)
    }
    if (takers.size === 0) return null
    return (value) => (isObject(value) ? splitObject(value, takers) : { plain: value, phi: undefined })
  }
  const options = schema instanceof z.ZodUnion ? (schema.options as z.ZodType[]) : []
  if (options.some((option) => phiExtractor(option, path)))
    throw new TypeError(`${path}: mark the whole field with phi(…), not one of its alternatives`)
  return null
}

function splitArray(value: readonly unknown[], take: PhiExtractor): SplitEvent {
  const parts = value.map(take)
  if (parts.every(({ phi: taken }) => taken === undefined)) return { plain: value, phi: undefined }
  return { plain: parts.map(({ plain: open }) => open), phi: parts.map(({ phi: taken }) => taken ?? null) }
}

function splitObject(value: Record<string, unknown>, takers: ReadonlyMap<string, PhiExtractor>): SplitEvent {
  const open: Record<string, unknown> = {}
  let taken: Record<string, unknown> | undefined
  for (const [key, field] of Object.entries(value)) {
    const part = takers.get(key)?.(field) ?? { plain: field, phi: undefined }
    open[key] = part.plain
    if (part.phi !== undefined) (taken ??= {})[key] = part.phi
  }
  return { plain: open, phi: taken }
}

/**
 * Puts back what was taken out. Wherever something is missing there is a null in its place, so no schema is needed: what
 * was sealed by one version of the app is opened by any other. Changes what is open.
 */
export function mergePhi(open: unknown, taken: unknown): unknown {
  if (open === null) return taken
  if (Array.isArray(open) && Array.isArray(taken)) return open.map((part, index) => mergePhi(part, taken[index]))
  if (!isObject(open) || !isObject(taken)) return open
  for (const key of Object.keys(taken)) open[key] = mergePhi(open[key], taken[key])
  return open
}

/** How one event is taken apart: by whose key its marked fields are sealed, and what they are. */
export type PhiFields = { getSubject(data: EventData): string; split(data: EventData): SplitEvent }

/**
 * The events that have marked fields, by name. Throws TypeError for one that does not say whose they are, or that marks
 * them where they cannot be found again.
 */
export function collectPhiFields(schemas: readonly EventSchema[]): ReadonlyMap<string, PhiFields> {
  const found = new Map<string, PhiFields>()
  for (const schema of schemas) {
    const type = getEventType(schema)
    const take = phiExtractor(schema.shape.data, type)
    if (!take) continue
    const field = getSubjectField(schema)
    if (field === undefined) throw new TypeError(`${type} has phi(…) fields: declare it with eventAbout(…)`)
    const subjectOf = (data: EventData) => {
      const subject = data[field]
      if (typeof subject !== 'string' || !/^[\w-]+$/.test(subject))
        throw new TypeError(`${type} does not say whose it is`)
      return subject
    }
    found.set(type, { getSubject: subjectOf, split: take })
  }
  return found
}
