import { z } from 'zod'
import { isPhi } from '#eventstore/event.ts'

/** What stands in the place of something that is not shown. */
const maskedValue = '[hidden]'

/** An event's data without what identifies a patient or describes health. Without a schema nothing of it is shown. */
export function maskPhi(schema: z.ZodType | undefined, value: unknown): unknown {
  if (schema === undefined || isPhi(schema)) return maskedValue
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return maskPhi(schema.unwrap() as z.ZodType, value)
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((each: unknown) => maskPhi(schema.element as z.ZodType, each))
  if (schema instanceof z.ZodObject && typeof value === 'object' && value !== null) {
    const shape = schema.shape as Record<string, z.ZodType>
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, maskPhi(shape[key], field)]))
  }
  return value
}
