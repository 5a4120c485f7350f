import { z } from 'zod'
import { type EventData, isPhi, getSubjectField } from '#eventstore/event.ts'
import { type EventSchema, getEventType } from '#eventstore/event-schemas.ts'

/** The plain fields of an event's data, with null in place of each PHI field, and the PHI fields; undefined when there are none. */
export type SplitEvent = { plain: unknown; phi: unknown }

type PhiExtractor = (value: unknown) => SplitEvent

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Returns a function that splits values of this schema; null when it has no PHI field. */
function phiExtractor(schema: z.ZodType, path: string): PhiExtractor | null {
  if (isPhi(schema)) return (value) => ({ plain: value === undefined ? undefined : null, phi: value })
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return phiExtractor(schema.unwrap() as z.ZodType, path)
  if (schema instanceof z.ZodArray) {
    const extract = phiExtractor(schema.element as z.ZodType, `${path}[]`)
    return (
      extract && ((value) => (Array.isArray(value) ? splitArray(value, extract) : { plain: value, phi: undefined }))
    )
  }
  if (schema instanceof z.ZodObject) {
    const extractors = new Map<string, PhiExtractor>()
    for (const [key, field] of Object.entries(schema.shape as Record<string, z.ZodType>)) {
      const extract = phiExtractor(field, `${path}.${key}`)
      if (extract) extractors.set(key, extract)
    }
    if (extractors.size === 0) return null
    return (value) => (isObject(value) ? splitObject(value, extractors) : { plain: value, phi: undefined })
  }
  const options = schema instanceof z.ZodUnion ? (schema.options as z.ZodType[]) : []
  if (options.some((option) => phiExtractor(option, path)))
    throw new TypeError(`${path}: mark the whole field with phi(…), not one of its alternatives`)
  return null
}

function splitArray(value: readonly unknown[], extract: PhiExtractor): SplitEvent {
  const items = value.map(extract)
  if (items.every(({ phi }) => phi === undefined)) return { plain: value, phi: undefined }
  return { plain: items.map(({ plain }) => plain), phi: items.map(({ phi }) => phi ?? null) }
}

function splitObject(value: Record<string, unknown>, extractors: ReadonlyMap<string, PhiExtractor>): SplitEvent {
  const plain: Record<string, unknown> = {}
  let phi: Record<string, unknown> | undefined
  for (const [key, field] of Object.entries(value)) {
    const split = extractors.get(key)?.(field) ?? { plain: field, phi: undefined }
    plain[key] = split.plain
    if (split.phi !== undefined) (phi ??= {})[key] = split.phi
  }
  return { plain, phi }
}

/**
 * Merges PHI fields back into the plain ones. Every extracted value left a null, so no schema is needed: data that one
 * version of the app encrypted can be decrypted by any other. Modifies `plain`.
 */
export function mergePhi(plain: unknown, phi: unknown): unknown {
  if (plain === null) return phi
  if (Array.isArray(plain) && Array.isArray(phi)) return plain.map((item, index) => mergePhi(item, phi[index]))
  if (!isObject(plain) || !isObject(phi)) return plain
  for (const key of Object.keys(phi)) plain[key] = mergePhi(plain[key], phi[key])
  return plain
}

/** The PHI of one event type: the subject whose key encrypts it, and the split of its data. */
export type PhiFields = { getSubject(data: EventData): string; split(data: EventData): SplitEvent }

/**
 * Returns the event types that have PHI fields. Throws TypeError for an event that has PHI fields and no subject, or marks
 * them where they could not be merged back.
 */
export function collectPhiFields(schemas: readonly EventSchema[]): ReadonlyMap<string, PhiFields> {
  const found = new Map<string, PhiFields>()
  for (const schema of schemas) {
    const type = getEventType(schema)
    const split = phiExtractor(schema.shape.data, type)
    if (!split) continue
    const field = getSubjectField(schema)
    if (field === undefined) throw new TypeError(`${type} has phi(…) fields: declare it with eventAbout(…)`)
    const getSubject = (data: EventData) => {
      const subject = data[field]
      if (typeof subject !== 'string' || !/^[\w-]+$/.test(subject))
        throw new TypeError(`${type} has no valid subject in ${field}`)
      return subject
    }
    found.set(type, { getSubject, split })
  }
  return found
}
