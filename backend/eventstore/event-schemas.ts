import { z } from 'zod'

/** The schema of one event, as `event(…)` makes it. */
export type EventSchema = z.ZodObject<{ type: z.ZodLiteral<string>; data: z.ZodType }>

const isEvent = (value: unknown): value is EventSchema =>
  value instanceof z.ZodObject && value.shape.type instanceof z.ZodLiteral && 'data' in value.shape

/** The events a declaration holds: one event, or a union of them; none in anything else. */
export function eventsIn(declared: unknown): readonly EventSchema[] {
  if (declared instanceof z.ZodDiscriminatedUnion || declared instanceof z.ZodUnion)
    return declared.options.flatMap(eventsIn)
  return isEvent(declared) ? [declared] : []
}

/** The name of an event: `PatientRegistered`. */
export const typeOf = (schema: EventSchema): string => schema.shape.type.value
