import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { event, phi, upcaster } from '#eventstore/event.ts'
import { cases } from '#tests/support/long.ts'
import { toShape, findIncompatibilities } from './shapes.ts'
import { checkVersions, type RecordedShapes } from './versions.ts'

const shape = () => ({
  id: z.uuid(),
  name: phi(z.string().min(1).max(80)),
  kind: z.enum(['new', 'old']),
  appointments: z.array(z.strictObject({ on: z.iso.date(), minutes: z.number().int().min(0) })),
  note: z.string().optional(),
  by: z.string().nullable(),
})
const released = event('Noted', shape())
const kept = checkVersions({}, [released], []).next
const checkChanged = (over: z.ZodRawShape) => checkVersions(kept, [event('Noted', { ...shape(), ...over })], [])
const without = (field: keyof ReturnType<typeof shape>) => {
  const { [field]: _, ...rest } = shape()
  return checkVersions(kept, [event('Noted', rest)], [])
}
const appointment = { on: z.iso.date(), minutes: z.number().int().min(0) }

it('records a new event once', () => {
  expect(Object.keys(kept['Noted'] ?? {})).toEqual(['1'])
  expect(checkVersions(kept, [event('Noted', shape())], [])).toEqual({ refused: [], next: kept, changed: false })
})

describe('refuses without a new version', () => {
  it.each([
    ['a field removed', () => without('by'), 'data.by was removed'],
    ['a type changed', () => checkChanged({ by: z.number().nullable() }), 'data.by can no longer be string'],
    ['an enum value removed', () => checkChanged({ kind: z.enum(['new']) }), 'data.kind can no longer be old'],
    [
      'an enum value renamed',
      () => checkChanged({ kind: z.enum(['new', 'former']) }),
      'data.kind can no longer be old',
    ],
    ['a phi mark removed', () => checkChanged({ name: z.string().min(1).max(80) }), 'data.name is no longer marked'],
    ['a phi mark added', () => checkChanged({ by: phi(z.string().nullable()) }), 'data.by is now marked'],
    ['a required field added', () => checkChanged({ place: z.string() }), 'data.place is required now'],
    [
      'a field with a default added',
      () => checkChanged({ place: z.string().default('here') }),
      'data.place is required now',
    ],
    ['an optional field required', () => checkChanged({ note: z.string() }), 'data.note is required now'],
    ['null no longer allowed', () => checkChanged({ by: z.string() }), 'data.by can no longer be null'],
    ['a maximum length reduced', () => checkChanged({ name: phi(z.string().min(1).max(40)) }), 'another maxLength'],
    ['a minimum length added', () => checkChanged({ by: z.string().min(1).nullable() }), 'another minLength'],
    ['a format added', () => checkChanged({ by: z.email().nullable() }), 'another format'],
    ['a pattern added', () => checkChanged({ by: z.string().regex(/^A/).nullable() }), 'another pattern'],
    ['a refinement added', () => checkChanged({ by: z.string().refine(Boolean).nullable() }), 'another refined'],
    ['a string become an enum', () => checkChanged({ by: z.enum(['Ada']).nullable() }), 'takes only certain values'],
    [
      'a field within a list removed',
      () => checkChanged({ appointments: z.array(z.strictObject({ on: appointment.on })) }),
      'data.appointments[].minutes was removed',
    ],
    [
      'a field within a list required',
      () => checkChanged({ appointments: z.array(z.strictObject({ ...appointment, at: z.string() })) }),
      'data.appointments[].at is required now',
    ],
    [
      'a minimum number of items added',
      () => checkChanged({ appointments: z.array(z.strictObject(appointment)).min(1) }),
      'minItems',
    ],
  ])('%s', (_, change, why) => {
    const { refused, next } = change()
    expect(refused).toEqual([expect.stringContaining(`Noted 1: `)])
    expect(refused[0]).toContain(why)
    expect(refused[0]).toContain('give Noted version 2 and write an upcaster from 1')
    expect(next).toEqual(kept)
  })
})

describe('accepts as additive', () => {
  it.each([
    ['an optional field added', { place: z.string().optional() }],
    ['an enum value added', { kind: z.enum(['new', 'old', 'lost']) }],
    ['null allowed', { id: z.uuid().nullable() }],
    ['a required field made optional', { by: z.string().nullable().optional() }],
    ['a maximum length raised', { name: phi(z.string().min(1).max(200)) }],
    [
      'integers become numbers',
      { appointments: z.array(z.strictObject({ ...appointment, minutes: z.number().min(0) })) },
    ],
    ['another type allowed as well', { by: z.union([z.string(), z.boolean()]).nullable() }],
  ] as [string, z.ZodRawShape][])('%s', (_, over) => {
    const { refused, next, changed } = checkChanged(over)
    expect([refused, changed]).toEqual([[], true])
    // The change cannot be reverted: data written since then could not be read.
    expect(checkVersions(next, [event('Noted', shape())], []).refused).not.toEqual([])
  })
})

describe('versions', () => {
  const second = event('Noted', { text: z.string() }, { version: 2 })
  const step = upcaster('Noted', 1, () => ({ text: '' }))

  it('are recorded side by side', () => {
    const { refused, next } = checkVersions(kept, [second], [step])
    expect(refused).toEqual([])
    expect(next).toEqual({ Noted: { ...kept['Noted'], 2: toShape(second) } })
  })

  it('are numbered without gaps and never go back', () => {
    const third = event('Noted', { text: z.string() }, { version: 3 })
    const steps = [step, upcaster('Noted', 2, (data) => data)]
    expect(checkVersions(kept, [third], steps).refused).toEqual(['Noted 3: after version 1 comes 2'])
    const { next } = checkVersions(kept, [second], [step])
    expect(checkVersions(next, [released], []).refused.join()).toContain('Noted 1: there was a version 2 already')
    expect(checkVersions({}, [second], [step]).refused).toEqual(['Noted 2: after version 0 comes 1'])
  })

  it('stay readable as long as they may be stored', () => {
    expect(checkVersions(kept, [], []).refused).toEqual(['Noted 1: may be stored somewhere and can no longer be read'])
    const renamed = event('Written', { text: z.string() }, { version: 2 })
    const { refused, next } = checkVersions(
      kept,
      [renamed],
      [upcaster('Noted', 1, () => ({ text: '' }), { becomes: 'Written' })],
    )
    expect([refused, Object.keys(next)]).toEqual([[], ['Noted', 'Written']])
  })

  it('refuse data that JSON cannot represent', () => {
    expect(() => toShape(event('Timed', { at: z.date() }))).toThrow('Date cannot be represented in JSON Schema')
  })
})

/** Field types for random events, with values of each. */
const kinds: [z.ZodType, fc.Arbitrary<unknown>][] = [
  [z.string(), fc.string()],
  [z.string().min(1), fc.string({ minLength: 1 })],
  [z.string().nullable(), fc.option(fc.string())],
  [z.number(), fc.double({ noNaN: true, noDefaultInfinity: true })],
  [z.number().int(), fc.integer()],
  [z.boolean(), fc.boolean()],
  [z.enum(['a', 'b']), fc.constantFrom('a', 'b')],
  [z.enum(['a', 'b', 'c']), fc.constantFrom('a', 'b', 'c')],
  [z.array(z.string()), fc.array(fc.string())],
]
const field = fc.record({ kind: fc.constantFrom(...kinds), optional: fc.boolean() })
const fields = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), field)
const declared = (of: Record<string, { kind: (typeof kinds)[number]; optional: boolean }>) =>
  event(
    'Made',
    Object.fromEntries(
      Object.entries(of).map(([name, { kind, optional }]) => [name, optional ? kind[0].optional() : kind[0]]),
    ),
  )

it('an additive change reads everything written before it', () => {
  let additive = 0
  fc.assert(
    fc.property(fields, fields, fc.boolean(), fc.gen(), (before, other, near, gen) => {
      // Half of them differ in one or two fields, as real changes do.
      const now = near ? { ...before, ...Object.fromEntries(Object.entries(other).slice(0, 1)) } : other
      const [was, is] = [declared(before), declared(now)]
      if (findIncompatibilities(toShape(was), toShape(is)).length > 0) return
      additive += 1
      const data = Object.fromEntries(
        Object.entries(before).flatMap(([name, { kind, optional }]) =>
          optional && gen(fc.boolean) ? [] : [[name, gen(() => kind[1])]],
        ),
      )
      expect(is.safeParse({ type: 'Made', data }).success).toBe(true)
    }),
    { numRuns: cases(1_000, 10_000) },
  )
  expect(additive).toBeGreaterThan(50)
})

it('keeps the recorded shapes unchanged as JSON text', () => {
  const again = JSON.parse(JSON.stringify(kept)) as RecordedShapes
  expect(checkVersions(again, [released], []).changed).toBe(false)
})
