import { isDeepStrictEqual } from 'node:util'
import { type EventSchema, getEventType } from '#eventstore/event-schemas.ts'
import { type Upcaster, getSchemaVersion } from '#eventstore/event.ts'
import { createEventVersions } from '#eventstore/upcasting.ts'
import { type Shape, toShape, findIncompatibilities } from './shapes.ts'

/** The shape of every version of every event ever released: tests/golden/schemas.json. */
export type RecordedShapes = { readonly [type: string]: { readonly [version: string]: Shape } }

/** `refused`: changes that must not be released. `next`: the shapes to record; unchanged when there is nothing new. */
export type VersionCheck = { refused: string[]; next: RecordedShapes; changed: boolean }

/**
 * Compares the declared events with the recorded shapes. Accepts new events, new versions and additive changes; refuses
 * any other change of a version that may be stored somewhere, and versions that can no longer be read.
 */
export function checkVersions(
  kept: RecordedShapes,
  declared: readonly EventSchema[],
  upcasters: readonly Upcaster[],
): VersionCheck {
  const refused: string[] = []
  const next: Record<string, Record<string, Shape>> = structuredClone(kept) as never
  for (const event of declared) {
    const [type, version] = [getEventType(event), getSchemaVersion(event)]
    const shape = toShape(event)
    const before = kept[type]?.[version]
    const problems = before ? findIncompatibilities(before, shape) : []
    const raise = `give ${type} version ${version + 1} and write an upcaster from ${version}`
    if (problems.length > 0) refused.push(`${type} ${version}: ${problems.join('; ')}: ${raise}`)
    else next[type] = { ...next[type], [version]: shape }
    refused.push(...checkOrder(event, Object.keys(kept[type] ?? {}).map(Number), upcasters))
  }
  refused.push(...checkReadable(kept, declared, upcasters))
  return { refused, next, changed: !isDeepStrictEqual(next, kept) }
}

function checkOrder(event: EventSchema, known: readonly number[], upcasters: readonly Upcaster[]): string[] {
  const [type, version] = [getEventType(event), getSchemaVersion(event)]
  const newest = Math.max(0, ...known)
  if (known.includes(version) && version === newest) return []
  if (version < newest) return [`${type} ${version}: there was a version ${newest} already`]
  const renamed = upcasters.some((step) => step.toType === type && step.type !== type && step.version + 1 === version)
  return version === newest + 1 || renamed ? [] : [`${type} ${version}: after version ${newest} comes ${newest + 1}`]
}

function checkReadable(
  kept: RecordedShapes,
  declared: readonly EventSchema[],
  upcasters: readonly Upcaster[],
): string[] {
  const versions = createEventVersions(declared, upcasters)
  return Object.entries(kept).flatMap(([type, shapes]) =>
    Object.keys(shapes)
      .filter((version) => !versions.canRead(type, Number(version)))
      .map((version) => `${type} ${version}: may be stored somewhere and can no longer be read`),
  )
}
