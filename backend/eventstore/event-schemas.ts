import { z } from 'zod'
import { getSchemaVersion } from './event.ts'

/** The schema of one event, as `event(…)` makes it. */
export type EventSchema = z.ZodObject<{ type: z.ZodLiteral<string>; data: z.ZodType }>

const isEventSchema = (value: unknown): value is EventSchema =>
  value instanceof z.ZodObject && value.shape.type instanceof z.ZodLiteral && 'data' in value.shape

/** The events a declaration holds: one event, or a union of them; none in anything else. */
export function collectEventSchemas(declared: unknown): readonly EventSchema[] {
  if (declared instanceof z.ZodDiscriminatedUnion || declared instanceof z.ZodUnion)
    return declared.options.flatMap(collectEventSchemas)
  return isEventSchema(declared) ? [declared] : []
}

/** The name of an event: `PatientRegistered`. */
export const getEventType = (schema: EventSchema): string => schema.shape.type.value

/** The version in which each event of a declaration is written today, by its name. */
export const mapVersionsByType = (declared: unknown): ReadonlyMap<string, number> =>
  new Map(collectEventSchemas(declared).map((schema) => [getEventType(schema), getSchemaVersion(schema)]))
