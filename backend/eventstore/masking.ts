import { z } from 'zod'
import { isPhi } from './event.ts'

/** What stands in the place of something that is not shown. */
const hidden = '[hidden]'

type EventSchema = z.ZodObject<{ type: z.ZodLiteral<string>; data: z.ZodType }>

/** The schema of every event among some exports: events alone and unions of them. */
export function eventSchemas(exported: readonly unknown[]): ReadonlyMap<string, z.ZodType> {
  const found = new Map<string, z.ZodType>()
  const collect = (value: unknown): void => {
    if (value instanceof z.ZodUnion) value.options.forEach(collect)
    if (!(value instanceof z.ZodObject) || !(value.shape['type'] instanceof z.ZodLiteral)) return
    const { type, data } = (value as unknown as EventSchema).shape
    found.set(type.value, data)
  }
  exported.forEach(collect)
  return found
}

/** An event's data without what identifies a patient or describes health. Without a schema nothing of it is shown. */
export function masked(schema: z.ZodType | undefined, value: unknown): unknown {
  if (schema === undefined || isPhi(schema)) return hidden
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return masked(schema.unwrap() as z.ZodType, value)
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((each: unknown) => masked(schema.element as z.ZodType, each))
  if (schema instanceof z.ZodObject && typeof value === 'object' && value !== null) {
    const shape = schema.shape as Record<string, z.ZodType>
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, masked(shape[key], field)]))
  }
  return value
}
