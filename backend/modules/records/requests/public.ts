import * as change from '../change-record.ts'
import type { RecordDefinition } from '../events.ts'
import * as queries from '../queries.ts'

/** Returns the queries of a record. A search matches the patient's name and the fields `searched`, which are not sealed. */
export const recordReader = queries.recordReader

/** A record as it is read, with its patient. The data of a transition is null before the first one of its kind. */
export type StoredRecord<D extends RecordDefinition> = queries.StoredRecord<D>

/** All that requests need to know of a record. */
export type RecordKind<D extends RecordDefinition> = change.RecordKind<D>

/** Loads a record that the caller can see. Throws 404 when there is none, also when its patient was removed. */
export const requireRecord = change.requireRecord

/** Executes commands on the revision that the user saw. Throws 409 `changed-meanwhile` with the fields that others changed. */
export const editRecord = change.editRecord

/** Returns the history of a record for its details, newest first: status, changed fields, time and user of each event. */
export const describeHistory = change.describeHistory
