import { type EventSchema, collectEventSchemas } from '#eventstore/event-schemas.ts'
import { InvalidUpcasters, type EventVersions, createEventVersions } from '#eventstore/upcasting.ts'
import { JobEvent } from '#jobs/events.ts'
import type { Module } from '#modules/module.ts'
import { ReadModelEvent } from '#projections/events.ts'
import { StartError } from '#runtime/start-error.ts'

/** Every event that can be written: those of the modules, and those of the machinery below them. */
export const listEventSchemas = (modules: readonly Module[]): readonly EventSchema[] =>
  [ReadModelEvent, JobEvent, ...modules.flatMap(({ events }) => events)].flatMap(collectEventSchemas)

/** Every event an Everchart of these modules can read, in whichever version it was stored. Throws StartError. */
export function createModuleEventVersions(modules: readonly Module[]): EventVersions {
  try {
    return createEventVersions(
      listEventSchemas(modules),
      modules.flatMap(({ upcasters = [] }) => upcasters),
    )
  } catch (error) {
    if (!(error instanceof InvalidUpcasters)) throw error
    throw new StartError(`The events do not fit together: ${error.message}`)
  }
}
