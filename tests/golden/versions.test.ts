import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { event, phi, upcaster } from '#eventstore/event.ts'
import { cases } from '#tests/support/long.ts'
import { shapeOf, unreadable } from './shapes.ts'
import { judge, type Kept } from './versions.ts'

const shape = () => ({
  id: z.uuid(),
  name: phi(z.string().min(1).max(80)),
  kind: z.enum(['new', 'old']),
  appointments: z.array(z.strictObject({ on: z.iso.date(), minutes: z.number().int().min(0) })),
  note: z.string().optional(),
  by: z.string().nullable(),
})
const released = event('Noted', shape())
const kept = judge({}, [released], []).next
const judged = (over: z.ZodRawShape) => judge(kept, [event('Noted', { ...shape(), ...over })], [])
const without = (field: keyof ReturnType<typeof shape>) => {
  const { [field]: _, ...rest } = shape()
  return judge(kept, [event('Noted', rest)], [])
}
const appointment = { on: z.iso.date(), minutes: z.number().int().min(0) }

it('takes in what is new, and finds nothing to do twice', () => {
  expect(Object.keys(kept['Noted'] ?? {})).toEqual(['1'])
  expect(judge(kept, [event('Noted', shape())], [])).toEqual({ refused: [], next: kept, changed: false })
})

describe('refuses without a new version', () => {
  it.each([
    ['a field removed', () => without('by'), 'data.by was removed'],
    ['a type changed', () => judged({ by: z.number().nullable() }), 'data.by can no longer be string'],
    ['an enum value removed', () => judged({ kind: z.enum(['new']) }), 'data.kind can no longer be old'],
    ['an enum value renamed', () => judged({ kind: z.enum(['new', 'former']) }), 'data.kind can no longer be old'],
    ['a phi mark removed', () => judged({ name: z.string().min(1).max(80) }), 'data.name is no longer marked'],
    ['a phi mark added', () => judged({ by: phi(z.string().nullable()) }), 'data.by is now marked'],
    ['a required field added', () => judged({ place: z.string() }), 'data.place is required now'],
    ['a field with a default added', () => judged({ place: z.string().default('here') }), 'data.place is required now'],
    ['an optional field required', () => judged({ note: z.string() }), 'data.note is required now'],
    ['null no longer allowed', () => judged({ by: z.string() }), 'data.by can no longer be null'],
    ['a text made shorter', () => judged({ name: phi(z.string().min(1).max(40)) }), 'another maxLength'],
    ['a text that must not be empty', () => judged({ by: z.string().min(1).nullable() }), 'another minLength'],
    ['a format of its own', () => judged({ by: z.email().nullable() }), 'another format'],
    ['a pattern', () => judged({ by: z.string().regex(/^A/).nullable() }), 'another pattern'],
    ['a rule of its own', () => judged({ by: z.string().refine(Boolean).nullable() }), 'another refined'],
    ['any text become one of a few', () => judged({ by: z.enum(['Ada']).nullable() }), 'takes only certain values'],
    [
      'a field within a list removed',
      () => judged({ appointments: z.array(z.strictObject({ on: appointment.on })) }),
      'data.appointments[].minutes was removed',
    ],
    [
      'a field within a list required',
      () => judged({ appointments: z.array(z.strictObject({ ...appointment, at: z.string() })) }),
      'data.appointments[].at is required now',
    ],
    [
      'a list that must not be empty',
      () => judged({ appointments: z.array(z.strictObject(appointment)).min(1) }),
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

describe('takes in as additive, to be kept', () => {
  it.each([
    ['an optional field added', { place: z.string().optional() }],
    ['an enum value added', { kind: z.enum(['new', 'old', 'lost']) }],
    ['null allowed', { id: z.uuid().nullable() }],
    ['a required field made optional', { by: z.string().nullable().optional() }],
    ['a longer text', { name: phi(z.string().min(1).max(200)) }],
    [
      'whole numbers become any',
      { appointments: z.array(z.strictObject({ ...appointment, minutes: z.number().min(0) })) },
    ],
    ['another kind of value beside', { by: z.union([z.string(), z.boolean()]).nullable() }],
  ] as [string, z.ZodRawShape][])('%s', (_, over) => {
    const { refused, next, changed } = judged(over)
    expect([refused, changed]).toEqual([[], true])
    // From now on the way back is closed: what was written meanwhile could not be read.
    expect(judge(next, [event('Noted', shape())], []).refused).not.toEqual([])
  })
})

describe('versions', () => {
  const second = event('Noted', { text: z.string() }, { version: 2 })
  const step = upcaster('Noted', 1, () => ({ text: '' }))

  it('a new one is kept beside the old one, which stays as it was', () => {
    const { refused, next } = judge(kept, [second], [step])
    expect(refused).toEqual([])
    expect(next).toEqual({ Noted: { ...kept['Noted'], 2: shapeOf(second) } })
  })

  it('none is left out, and none comes back', () => {
    const third = event('Noted', { text: z.string() }, { version: 3 })
    const steps = [step, upcaster('Noted', 2, (data) => data)]
    expect(judge(kept, [third], steps).refused).toEqual(['Noted 3: after version 1 comes 2'])
    const { next } = judge(kept, [second], [step])
    expect(judge(next, [released], []).refused.join()).toContain('Noted 1: there was a version 2 already')
    expect(judge({}, [second], [step]).refused).toEqual(['Noted 2: after version 0 comes 1'])
  })

  it('an event that may be stored is never forgotten', () => {
    expect(judge(kept, [], []).refused).toEqual(['Noted 1: may be stored somewhere and can no longer be read'])
    const renamed = event('Written', { text: z.string() }, { version: 2 })
    const { refused, next } = judge(
      kept,
      [renamed],
      [upcaster('Noted', 1, () => ({ text: '' }), { becomes: 'Written' })],
    )
    expect([refused, Object.keys(next)]).toEqual([[], ['Noted', 'Written']])
  })

  it('refuses data that JSON cannot hold', () => {
    expect(() => shapeOf(event('Timed', { at: z.date() }))).toThrow('Date cannot be represented in JSON Schema')
  })
})

/** Field types from which events are put together at random, with values of each. */
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

it('whatever is called additive reads all that was written before', () => {
  let additive = 0
  fc.assert(
    fc.property(fields, fields, fc.boolean(), fc.gen(), (before, other, near, gen) => {
      // Half of them differ in a field or two, as changes do.
      const now = near ? { ...before, ...Object.fromEntries(Object.entries(other).slice(0, 1)) } : other
      const [was, is] = [declared(before), declared(now)]
      if (unreadable(shapeOf(was), shapeOf(is)).length > 0) return
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

it('keeps what is kept as text that reads back the same', () => {
  const again = JSON.parse(JSON.stringify(kept)) as Kept
  expect(judge(again, [released], []).changed).toBe(false)
})
