import * as change from '../change-record.ts'
import type { RecordDefinition } from '../events.ts'
import * as expiry from '../expiry.ts'
import * as queries from '../queries.ts'
import * as references from '../references.ts'
import * as routes from '../routes.ts'

/** Returns the queries of a record. A search matches the patient's name and the fields `searched`, which are not sealed. */
export const recordReader = queries.recordReader

/** The SQL condition for records `r` of a patient who was not removed. */
export const ofPresentPatient = queries.ofPresentPatient

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

/** Serves the calls of a record: list, also as a file, one with its history, add, and change fields or status. */
export const recordRoutes = routes.recordRoutes

/** Finds the records of a list, page by page, up to the most that a file holds. */
export const findAllRecords = routes.findAll

/** Declares the job that expires records at the midnight of their practice after a last day. */
export const defineExpiryJob = expiry.defineExpiryJob

/** Expires all records whose last day is over, page by page. */
export const expireRecords = expiry.expireRecords

export type Expiry<D extends RecordDefinition> = expiry.Expiry<D>

/** Throws 422 at a field for a provider who is not of the caller's practice. */
export const requireProviderIn = references.requireProviderIn

/** Throws 422 at a field for an appointment that is not one of the patient in the caller's practice. */
export const requireAppointmentOfPatient = references.requireAppointmentOfPatient

/** Throws 422 at a field for an instant in the future; the clock of a browser may be a little ahead. */
export const requireNotInFuture = references.requireNotInFuture
