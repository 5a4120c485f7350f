import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { EventSchema } from '#eventstore/event-schemas.ts'
import { isPhi } from '#eventstore/event.ts'

/** A JSON schema, with `phi` where the declaration says so and `refined` where it has rules of its own. */
export type Shape = { readonly [keyword: string]: unknown }

/** What an event's data looks like, as it is kept in tests/golden/schemas.json. Throws for what JSON cannot hold. */
export function shapeOf(event: EventSchema): Shape {
  const { $schema: _, ...shape } = z.toJSONSchema(event.shape.data, {
    override({ zodSchema, jsonSchema }) {
      const { checks = [] } = zodSchema._zod.def
      const refined = checks.filter((check) => check._zod.def.check === 'custom').length
      if (refined > 0) jsonSchema['refined'] = refined
      if (isPhi(zodSchema as unknown as z.ZodType)) jsonSchema['phi'] = true
    },
  })
  return plain(shape, false) as Shape
}

const sorted = new Set(['required', 'enum', 'type'])

/** Without what says the same in other words, so that only what means something can differ. */
function plain(value: unknown, hidden: boolean, keyword?: string): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => plain(item, hidden))
    return keyword !== undefined && sorted.has(keyword) ? items.toSorted() : items
  }
  if (typeof value !== 'object' || value === null) return value
  const shape = value as Shape
  const phi = shape['phi'] === true
  return Object.fromEntries(
    Object.entries(shape)
      // A format's own pattern is the library's; marks within what is hidden as a whole say nothing more.
      .filter(([key]) => !(key === 'pattern' && 'format' in shape) && !(key === 'phi' && hidden))
      .map(([key, each]) => [key, plain(each, hidden || phi, key)]),
  )
}

/**
 * Why what was stored in one shape cannot be trusted to be read in another, in words, with the field; none when the change
 * is additive: everything that was right before is right now, and what is encrypted stays the same.
 */
export function unreadable(before: Shape, now: Shape, path = 'data'): string[] {
  if (before['phi'] !== now['phi'])
    return [`${path} is ${now['phi'] ? 'now marked' : 'no longer marked'} as identifying (phi)`]
  const choices = alternatives(now)
  return alternatives(before).flatMap((one) => {
    const tries = choices.map((choice) => unlike(one, choice, path))
    if (tries.some((found) => found.length === 0)) return []
    const [closest] = choices.flatMap((choice, index) => (kindOf(choice) === kindOf(one) ? [tries[index] ?? []] : []))
    return closest ?? [`${path} can no longer be ${kindOf(one)}`]
  })
}

const kindOf = ({ type, ...shape }: Shape) => String(type ?? Object.keys(shape).join(' '))

function alternatives({ phi: _, ...shape }: Shape): Shape[] {
  const options = (shape['anyOf'] ?? shape['oneOf']) as Shape[] | undefined
  if (options) return options.flatMap(alternatives)
  if ('const' in shape) return [{ type: typeof shape['const'], enum: [shape['const']] }]
  const types = shape['type']
  return Array.isArray(types) ? types.map((type: string) => ({ ...shape, type })) : [shape]
}

const lower = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const upper = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
const exact = ['format', 'pattern', 'multipleOf', 'refined', 'uniqueItems']
const understood = new Set([
  ...lower,
  ...upper,
  ...exact,
  'type',
  'enum',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'propertyNames',
  'prefixItems',
])

function unlike(before: Shape, now: Shape, path: string): string[] {
  const type = before['type'] === 'integer' && now['type'] === 'number' ? 'number' : before['type']
  if (type !== now['type'] && now['type'] !== undefined) return [`${path} was ${kindOf(before)} and is ${kindOf(now)}`]
  return [
    ...tightened(before, now, path),
    ...unlikeValues(before, now, path),
    ...unlikeFields(before, now, path),
    ...unlikeParts(before, now, path),
  ]
}

function tightened(before: Shape, now: Shape, path: string): string[] {
  const stricter = (keywords: string[], isStricter: (a: number, b: number) => boolean) =>
    keywords.filter(
      (word) =>
        now[word] !== undefined && (before[word] === undefined || isStricter(Number(before[word]), Number(now[word]))),
    )
  const words = [
    ...stricter(lower, (a, b) => b > a),
    ...stricter(upper, (a, b) => b < a),
    ...exact.filter((word) => now[word] !== undefined && now[word] !== before[word]),
    ...[...new Set([...Object.keys(before), ...Object.keys(now)])].filter(
      (word) => !understood.has(word) && !isDeepStrictEqual(before[word], now[word]),
    ),
  ]
  return words.map((word) => `${path} is held to another ${word}`)
}

function unlikeValues(before: Shape, now: Shape, path: string): string[] {
  const [values, allowed] = [before['enum'], now['enum']] as [unknown[] | undefined, unknown[] | undefined]
  if (!allowed) return []
  if (!values) return [`${path} takes only certain values now`]
  return values.filter((value) => !allowed.includes(value)).map((value) => `${path} can no longer be ${String(value)}`)
}

function unlikeFields(before: Shape, now: Shape, path: string): string[] {
  const fieldsOf = (shape: Shape) => (shape['properties'] ?? {}) as Record<string, Shape>
  const requiredOf = (shape: Shape) => (shape['required'] ?? []) as string[]
  const [is, needed] = [fieldsOf(now), requiredOf(before)]
  return [
    ...Object.entries(fieldsOf(before)).flatMap(([name, shape]) =>
      is[name] ? unreadable(shape, is[name], `${path}.${name}`) : [`${path}.${name} was removed`],
    ),
    ...requiredOf(now)
      .filter((name) => !needed.includes(name))
      .map((name) => `${path}.${name} is required now`),
  ]
}

function unlikeParts(before: Shape, now: Shape, path: string): string[] {
  return ['additionalProperties', 'items', 'propertyNames', 'prefixItems'].flatMap((word) => {
    const [was, is] = [before[word], now[word]]
    if (isDeepStrictEqual(was, is) || is === undefined || is === true) return []
    const isShape = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
    if (isShape(was) && isShape(is)) return unreadable(was as Shape, is as Shape, `${path}[]`)
    if (was === false && isShape(is)) return []
    return [`${path} is held to other ${word}`]
  })
}
