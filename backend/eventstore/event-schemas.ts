import { z } from 'zod'
import { getSchemaVersion } from './event.ts'

/** Schema of one event, as `event(…)` creates it. */
export type EventSchema = z.ZodObject<{ type: z.ZodLiteral<string>; data: z.ZodType }>

const isEventSchema = (value: unknown): value is EventSchema =>
  value instanceof z.ZodObject && value.shape.type instanceof z.ZodLiteral && 'data' in value.shape

/** Returns the event schemas of a declaration: one event or a union; an empty array for anything else. */
export function collectEventSchemas(declared: unknown): readonly EventSchema[] {
  if (declared instanceof z.ZodDiscriminatedUnion || declared instanceof z.ZodUnion)
    return declared.options.flatMap(collectEventSchemas)
  return isEventSchema(declared) ? [declared] : []
}

/** Returns the type of an event: `PatientRegistered`. */
export const getEventType = (schema: EventSchema): string => schema.shape.type.value

/** Returns the current schema version of each event of a declaration, by event type. */
export const mapVersionsByType = (declared: unknown): ReadonlyMap<string, number> =>
  new Map(collectEventSchemas(declared).map((schema) => [getEventType(schema), getSchemaVersion(schema)]))
