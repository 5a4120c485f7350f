import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { isPhi } from '#eventstore/event.ts'
import { AppointmentTypeEvent } from '#modules/appointment-types/events.ts'
import { CalendarFeedEvent } from '#modules/calendar-feeds/events.ts'
import { ConfirmationSettingsChanged } from '#modules/confirmations/events.ts'
import { ErasureEvent } from '#modules/erasures/events.ts'
import { Slot } from '#modules/schedule/events.ts'

/**
 * Fields that are not about patients: a provider's hours, appointment types, calendar feeds, the sentence that a practice adds to
 * all its messages, and the reason of an erasure,
 * which stays readable when the patient's key is destroyed.
 */
const notAboutPatients = new Set<z.ZodType>([
  Slot.shape.days,
  ...Object.values(AppointmentTypeEvent.shape.data.shape),
  ...ErasureEvent.options.flatMap(({ shape }) => Object.values(shape.data.shape)),
  ConfirmationSettingsChanged.shape.data.shape.customMessage,
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

/** Returns whether a schema has a patient's id or a marked field somewhere. */
function isAboutPatients(schema: z.ZodType): boolean {
  if (isPhi(schema)) return true
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape as Record<string, z.ZodType>).some(
      ([key, field]) => key === 'patientId' || isAboutPatients(field),
    )
  if (schema instanceof z.ZodArray) return isAboutPatients(schema.element as z.ZodType)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return isAboutPatients(schema.unwrap() as z.ZodType)
  return schema instanceof z.ZodUnion && schema.options.some((option) => isAboutPatients(option as z.ZodType))
}

const files = await Promise.all(
  globSync('backend/modules/**/events.ts').map(async (file) => {
    const exported = Object.values((await import(resolve(file))) as Record<string, unknown>)
    return {
      file,
      events: exported.filter(
        (value): value is z.ZodType => value instanceof z.ZodObject || value instanceof z.ZodUnion,
      ),
    }
  }),
)
const filesAboutPatients = files.filter(({ events }) => events.some(isAboutPatients))

it('finds the events of every module that is about patients', () => {
  expect(filesAboutPatients.length).toBeGreaterThanOrEqual(5)
  expect(filesAboutPatients.length).toBeLessThan(files.length)
})

it.each(filesAboutPatients)('$file marks every field that identifies a patient or describes health', ({ events }) => {
  expect(events.flatMap((event) => findUnmarked(event, ''))).toEqual([])
})

it('detects a field that is not marked, in a module that it does not know', () => {
  const event = z.object({ data: z.object({ patientId: z.uuid(), diagnosis: z.string() }) })
  expect(isAboutPatients(z.union([event, z.object({ data: z.object({ formId: z.uuid() }) })]))).toBe(true)
  expect(findUnmarked(event, '')).toEqual(['.data.diagnosis'])
})
