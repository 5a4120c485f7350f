import * as decider from './decider.ts'
import type { RecordDefinition } from './events.ts'
import * as projection from './projection.ts'

/** Returns the decider of a record: created once, changed where it differs, moved between statuses as declared. */
export const recordDecider = decider.recordDecider

/** Returns the projection of a record: one row each, with a column for every field and the present status. */
export const recordProjection = projection.recordProjection

export type RecordCommand<D extends RecordDefinition> = decider.RecordCommand<D>
