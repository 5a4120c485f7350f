import { isDeepStrictEqual } from 'node:util'
import { type EventSchema, getEventType } from '#eventstore/event-schemas.ts'
import { type Upcaster, getSchemaVersion } from '#eventstore/event.ts'
import { createEventVersions } from '#eventstore/upcasting.ts'
import { type Shape, shapeOf, unreadable } from './shapes.ts'

/** The shape of every version of every event there ever was: tests/golden/schemas.json. */
export type Kept = { readonly [type: string]: { readonly [version: string]: Shape } }

/** `refused`: what must not be released as it is. `next`: what is to be kept; the same as before when nothing changed. */
export type Judged = { refused: string[]; next: Kept; changed: boolean }

/**
 * Holds the events declared today against those kept. A new event and a new version are taken in; an additive change of a
 * version is; any other change of one that may be stored somewhere is refused, and so is leaving one unreadable.
 */
export function judge(kept: Kept, declared: readonly EventSchema[], upcasters: readonly Upcaster[]): Judged {
  const refused: string[] = []
  const next: Record<string, Record<string, Shape>> = structuredClone(kept) as never
  for (const event of declared) {
    const [type, version] = [getEventType(event), getSchemaVersion(event)]
    const shape = shapeOf(event)
    const before = kept[type]?.[version]
    const problems = before ? unreadable(before, shape) : []
    const raise = `give ${type} version ${version + 1} and write an upcaster from ${version}`
    if (problems.length > 0) refused.push(`${type} ${version}: ${problems.join('; ')}: ${raise}`)
    else next[type] = { ...next[type], [version]: shape }
    refused.push(...outOfOrder(event, Object.keys(kept[type] ?? {}).map(Number), upcasters))
  }
  refused.push(...outOfReach(kept, declared, upcasters))
  return { refused, next, changed: !isDeepStrictEqual(next, kept) }
}

function outOfOrder(event: EventSchema, known: readonly number[], upcasters: readonly Upcaster[]): string[] {
  const [type, version] = [getEventType(event), getSchemaVersion(event)]
  const newest = Math.max(0, ...known)
  if (known.includes(version) && version === newest) return []
  if (version < newest) return [`${type} ${version}: there was a version ${newest} already`]
  const renamed = upcasters.some((step) => step.toType === type && step.type !== type && step.version + 1 === version)
  return version === newest + 1 || renamed ? [] : [`${type} ${version}: after version ${newest} comes ${newest + 1}`]
}

function outOfReach(kept: Kept, declared: readonly EventSchema[], upcasters: readonly Upcaster[]): string[] {
  const versions = createEventVersions(declared, upcasters)
  return Object.entries(kept).flatMap(([type, shapes]) =>
    Object.keys(shapes)
      .filter((version) => !versions.canRead(type, Number(version)))
      .map((version) => `${type} ${version}: may be stored somewhere and can no longer be read`),
  )
}
