import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { EventSchema } from '#eventstore/event-schemas.ts'
import { isPhi } from '#eventstore/event.ts'

/** A JSON schema; `phi` marks PHI fields, `refined` counts custom refinements. */
export type Shape = { readonly [keyword: string]: unknown }

/** Returns the shape of an event's data, as recorded in tests/golden/schemas.json. Throws for types that JSON cannot represent. */
export function toShape(event: EventSchema): Shape {
  const { $schema: _, ...shape } = z.toJSONSchema(event.shape.data, {
    // Without the component names that another test file of this process may have registered for the API.
    metadata: z.registry(),
    override({ zodSchema, jsonSchema }) {
      const { checks = [] } = zodSchema._zod.def
      const refined = checks.filter((check) => check._zod.def.check === 'custom').length
      if (refined > 0) jsonSchema['refined'] = refined
      if (isPhi(zodSchema as unknown as z.ZodType)) jsonSchema['phi'] = true
    },
  })
  return normalize(shape, false) as Shape
}

const sorted = new Set(['required', 'enum', 'type'])

/** Removes redundant keywords and sorts unordered lists, so that equal shapes are written the same way. */
function normalize(value: unknown, isInsidePhi: boolean, keyword?: string): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => normalize(item, isInsidePhi))
    return keyword !== undefined && sorted.has(keyword) ? items.toSorted() : items
  }
  if (typeof value !== 'object' || value === null) return value
  const shape = value as Shape
  const phi = shape['phi'] === true
  return Object.fromEntries(
    Object.entries(shape)
      // A format's pattern belongs to the library; a phi mark inside a phi field adds nothing.
      .filter(([key]) => !(key === 'pattern' && 'format' in shape) && !(key === 'phi' && isInsidePhi))
      .map(([key, each]) => [key, normalize(each, isInsidePhi || phi, key)]),
  )
}

/**
 * Returns the reasons, with the field, why data stored in one shape may not be readable in another. Empty when the change
 * is additive: all data that was valid is still valid, and the same fields are encrypted.
 */
export function findIncompatibilities(before: Shape, now: Shape, path = 'data'): string[] {
  if (before['phi'] !== now['phi'])
    return [`${path} is ${now['phi'] ? 'now marked' : 'no longer marked'} as identifying (phi)`]
  const choices = alternatives(now)
  return alternatives(before).flatMap((one) => {
    const tries = choices.map((choice) => compareShapes(one, choice, path))
    if (tries.some((found) => found.length === 0)) return []
    const [closest] = choices.flatMap((choice, index) =>
      describeType(choice) === describeType(one) ? [tries[index] ?? []] : [],
    )
    return closest ?? [`${path} can no longer be ${describeType(one)}`]
  })
}

const describeType = ({ type, ...shape }: Shape) => String(type ?? Object.keys(shape).join(' '))

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
const knownKeywords = new Set([
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

function compareShapes(before: Shape, now: Shape, path: string): string[] {
  const type = before['type'] === 'integer' && now['type'] === 'number' ? 'number' : before['type']
  if (type !== now['type'] && now['type'] !== undefined)
    return [`${path} was ${describeType(before)} and is ${describeType(now)}`]
  return [
    ...findStricterRules(before, now, path),
    ...compareEnums(before, now, path),
    ...compareProperties(before, now, path),
    ...compareSubschemas(before, now, path),
  ]
}

function findStricterRules(before: Shape, now: Shape, path: string): string[] {
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
      (word) => !knownKeywords.has(word) && !isDeepStrictEqual(before[word], now[word]),
    ),
  ]
  return words.map((word) => `${path} is held to another ${word}`)
}

function compareEnums(before: Shape, now: Shape, path: string): string[] {
  const [values, allowed] = [before['enum'], now['enum']] as [unknown[] | undefined, unknown[] | undefined]
  if (!allowed) return []
  if (!values) return [`${path} takes only certain values now`]
  return values.filter((value) => !allowed.includes(value)).map((value) => `${path} can no longer be ${String(value)}`)
}

function compareProperties(before: Shape, now: Shape, path: string): string[] {
  const fieldsOf = (shape: Shape) => (shape['properties'] ?? {}) as Record<string, Shape>
  const requiredOf = (shape: Shape) => (shape['required'] ?? []) as string[]
  const [is, needed] = [fieldsOf(now), requiredOf(before)]
  return [
    ...Object.entries(fieldsOf(before)).flatMap(([name, shape]) =>
      is[name] ? findIncompatibilities(shape, is[name], `${path}.${name}`) : [`${path}.${name} was removed`],
    ),
    ...requiredOf(now)
      .filter((name) => !needed.includes(name))
      .map((name) => `${path}.${name} is required now`),
  ]
}

function compareSubschemas(before: Shape, now: Shape, path: string): string[] {
  return ['additionalProperties', 'items', 'propertyNames', 'prefixItems'].flatMap((word) => {
    const [was, is] = [before[word], now[word]]
    if (isDeepStrictEqual(was, is) || is === undefined || is === true) return []
    const isShape = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
    if (isShape(was) && isShape(is)) return findIncompatibilities(was as Shape, is as Shape, `${path}[]`)
    if (was === false && isShape(is)) return []
    return [`${path} is held to other ${word}`]
  })
}
