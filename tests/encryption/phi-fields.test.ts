import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { isPhi } from '#eventstore/event.ts'
import { AppointmentTypeEvent } from '#modules/appointment-types/events.ts'
import { CalendarFeedEvent } from '#modules/calendar-feeds/events.ts'
import { Slot } from '#modules/schedule/events.ts'

/** Event types of the scheduling module that are not about patients: a provider's hours, appointment types, calendar feeds. */
const notAboutPatients = new Set<z.ZodType>([
  Slot.shape.days,
  ...Object.values(AppointmentTypeEvent.shape.data.shape),
  ...CalendarFeedEvent.options.flatMap(({ shape }) => Object.values(shape.data.shape)),
])

/** Fields of events about patients that may be plain: ids, counts, row numbers, values of a fixed vocabulary. */
const mayBePlain = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodUUID ||
  schema instanceof z.ZodNumber ||
  schema instanceof z.ZodBoolean ||
  schema instanceof z.ZodEnum ||
  schema instanceof z.ZodLiteral ||
  // The time of an appointment: the provider's schedule needs it, and it identifies no patient once the key is destroyed.
  schema instanceof z.ZodISODateTime ||
  notAboutPatients.has(schema)

/** Returns the paths of fields that hold free text or dates and are not marked with `phi(…)`. */
function findUnmarked(schema: z.ZodType, path: string): string[] {
  if (isPhi(schema) || mayBePlain(schema)) return []
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([key, field]) =>
      findUnmarked(field, `${path}.${key}`),
    )
  if (schema instanceof z.ZodArray) return findUnmarked(schema.element as z.ZodType, `${path}[]`)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return findUnmarked(schema.unwrap() as z.ZodType, path)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => findUnmarked(option as z.ZodType, path))
  return [path]
}

const files = globSync('backend/modules/{patients,appointments,schedule,series,waitlist}/**/events.ts')

it.each(files)('%s marks every field that identifies a patient or describes health', async (file) => {
  const exported = Object.values((await import(resolve(file))) as Record<string, unknown>)
  const events = exported.filter(
    (value): value is z.ZodType => value instanceof z.ZodObject || value instanceof z.ZodUnion,
  )
  expect(events.length).toBeGreaterThan(0)
  expect(events.flatMap((event) => findUnmarked(event, ''))).toEqual([])
})

it('detects a field that is not marked', () => {
  expect(findUnmarked(z.object({ data: z.object({ nickname: z.string() }) }), '')).toEqual(['.data.nickname'])
})
