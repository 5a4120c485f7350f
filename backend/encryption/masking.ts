import { z } from 'zod'
import { isPhi } from '#eventstore/event.ts'

/** Placeholder of a hidden value. */
const maskedValue = '[hidden]'

/** Returns an event's data with all PHI hidden; without a schema everything is hidden. */
export function maskPhi(schema: z.ZodType | undefined, value: unknown): unknown {
  if (schema === undefined || isPhi(schema)) return maskedValue
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return maskPhi(schema.unwrap() as z.ZodType, value)
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((item: unknown) => maskPhi(schema.element as z.ZodType, item))
  if (schema instanceof z.ZodObject && typeof value === 'object' && value !== null) {
    const shape = schema.shape as Record<string, z.ZodType>
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, maskPhi(shape[key], field)]))
  }
  return value
}
