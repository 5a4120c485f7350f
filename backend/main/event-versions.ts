import { type EventSchema, collectEventSchemas } from '#eventstore/event-schemas.ts'
import { InvalidUpcasters, type EventVersions, createEventVersions } from '#eventstore/upcasting.ts'
import { JobEvent } from '#jobs/events.ts'
import type { Module } from '#modules/module.ts'
import { ReadModelEvent } from '#projections/events.ts'
import { StartError } from '#runtime/start-error.ts'

/** Returns the schemas of all events that can be written: those of the modules, of projections and of jobs. */
export const listEventSchemas = (modules: readonly Module[]): readonly EventSchema[] =>
  [ReadModelEvent, JobEvent, ...modules.flatMap(({ events }) => events)].flatMap(collectEventSchemas)

/** Returns the event versions that these modules can read, through upcasters where needed. Throws StartError. */
export function createModuleEventVersions(modules: readonly Module[]): EventVersions {
  try {
    return createEventVersions(
      listEventSchemas(modules),
      modules.flatMap(({ upcasters = [] }) => upcasters),
    )
  } catch (error) {
    if (!(error instanceof InvalidUpcasters)) throw error
    throw new StartError(`The event declarations are inconsistent: ${error.message}`)
  }
}
