import { patientIdForRow } from '#modules/patients/import/run-import.ts'
import { checkLog, describeLog, type LogPrefix, type StoredEvent } from './event-log.ts'
import type { Operation, RequestEntry, RequestLog } from './request-log.ts'

/** A patient as the API must return it. */
export type ExpectedPatient = {
  practiceId: string
  name: string
  phone: string | null
  revision: number
  importId: string | null
}

/** The state of an import according to the event log. */
export type ImportState = { practiceId: string; people: readonly Person[]; registered: number; last: string }
type Person = { firstName: string; lastName: string }

/** The state derived from the event log. */
export type EventLogState = LogPrefix & {
  problems: string[]
  patients: Map<string, ExpectedPatient>
  imports: Map<string, ImportState>
}

/**
 * Compares the event log with the logged requests: every acknowledged event is stored once, nothing refused is stored, and
 * operations that were cut off are stored completely or not at all.
 */
export function checkEventLog(rows: readonly StoredEvent[], requestLog: RequestLog, before: LogPrefix): EventLogState {
  const problems = checkLog(rows, before)
  const byRequest = Map.groupBy(rows, ({ correlationId }) => correlationId)
  const unrequested = rows.filter(({ correlationId }) => !requestLog.find(correlationId))
  for (const { type, actorKind } of unrequested) if (actorKind === 'user') problems.push(`${type} was never requested`)
  // The rows of an import share one cause, and so do the events of the sandbox; every other cause leads to the same event once.
  const reacting = rows.filter(
    ({ type, stream, actorKind }) =>
      actorKind === 'process' && !importEvents.includes(type) && !stream.startsWith('sandbox-'),
  )
  const reactions = Map.groupBy(reacting, ({ type, causationId }) => `${type} caused by ${causationId}`)
  for (const [what, each] of reactions) if (each.length > 1) problems.push(`${each.length} times ${what}`)
  const imports = new Map<string, ImportState>()
  for (const entry of requestLog.entries()) {
    const events = byRequest.get(entry.id) ?? []
    const problem = checkEntry(entry, events, imports)
    if (problem) problems.push(`${entry.operation.kind} (${entry.outcome}, ${entry.status ?? 'no reply'}): ${problem}`)
  }
  const patients = deriveExpectedPatients(rows, requestLog, imports, problems)
  return { problems, ...describeLog(rows), patients, imports }
}

const listTypes = (events: readonly StoredEvent[] = []) => events.map(({ type }) => type).join(', ')

/** The events that a request stores at once. Events of its jobs are checked separately. */
const immediateEvents: Record<Operation['kind'], readonly string[]> = {
  register: ['EmailReserved', 'UsernameReserved', 'UserRegistered', 'SignedIn'],
  'set up': ['PracticeSetUp'],
  'choose plan': ['CheckoutStarted', 'SubscriptionStarted'],
  // The sandbox plays an external system: its events do not belong to the request.
  pay: [],
  'sign in': ['SignedIn'],
  'sign out': ['SignedOut'],
  add: ['PatientRegistered'],
  'change phone': ['PatientContactChanged'],
  remove: ['PatientRemoved'],
  import: ['ImportRequested'],
  undo: ['ImportUndoRequested'],
}
const eventsFromJobs: Partial<Record<Operation['kind'], readonly string[]>> = {
  'set up': ['ProviderAdded'],
  import: ['PatientRegistered', 'ImportProgressed', 'ImportFinished'],
  undo: ['PatientRemoved', 'ImportUndone'],
}
const importEvents = [...(eventsFromJobs.import ?? []), ...(eventsFromJobs.undo ?? [])]

function checkEntry(
  entry: RequestEntry,
  allEvents: readonly StoredEvent[],
  imports: Map<string, ImportState>,
): string | undefined {
  const { operation, outcome, response } = entry
  // The record of a refusal is not a change.
  const events = allEvents.filter(({ type }) => type !== 'RequestRefused')
  const later = eventsFromJobs[operation.kind] ?? []
  const immediate = events.filter(({ type }) => !later.includes(type))
  const expected = immediateEvents[operation.kind]
  if (outcome === 'refused' && events.length > 0) return `was stored: ${listTypes(events)}`
  // A second undo of the same import stores no event.
  const isThere = listTypes(immediate) === expected.join(', ') || (operation.kind === 'undo' && events.length === 0)
  if (outcome === 'done' && !isThere) return `was acknowledged, but stored are ${listTypes(events) || 'nothing'}`
  // The database was gone when the session that had begun was confirmed: the sign-in has taken it back.
  const isTakenBack = operation.kind === 'sign in' && listTypes(immediate) === 'SignedIn, SignedOut'
  if (outcome === 'unknown' && immediate.length > 0 && !isThere && !isTakenBack)
    return `is stored partially: ${listTypes(events)}`
  const [first] = immediate
  if (!first) return events.length > 0 ? `events without a request: ${listTypes(events)}` : undefined
  if (response?.revision !== undefined && first.revision !== response.revision && operation.kind !== 'set up')
    return `was acknowledged with revision ${response.revision} and is ${first.revision}`
  if (response?.id && operation.kind === 'add' && first.stream !== `patient-${response.id}`)
    return 'is a different record'
  if (operation.kind === 'import') {
    const id = first.stream.slice('import-'.length)
    const registered = events.filter(({ type }) => type === 'PatientRegistered').length
    const last = events.at(-1)?.type ?? ''
    imports.set(id, { practiceId: operation.practiceId, people: operation.people, registered, last })
    if (registered > operation.people.length) return `${registered} patients out of ${operation.people.length} rows`
    if (last === 'ImportFinished' && registered !== operation.people.length)
      return `finished with ${registered} of ${operation.people.length}`
  }
  return undefined
}

/** Derives the expected patients from the requests, in the order of the event log. */
function deriveExpectedPatients(
  events: readonly StoredEvent[],
  requestLog: RequestLog,
  imports: ReadonlyMap<string, ImportState>,
  problems: string[],
): Map<string, ExpectedPatient> {
  const rows = mapImportRows(imports)
  const patients = new Map<string, ExpectedPatient>()
  for (const { stream, revision, type, correlationId } of events) {
    const operation = requestLog.find(correlationId)?.operation
    if (!operation || !stream.startsWith('patient-')) continue
    const id = stream.slice('patient-'.length)
    const existing = patients.get(id)
    if (type === 'PatientRegistered') {
      if (revision !== 0) problems.push(`patient ${id} is registered twice`)
      const { practiceId } = operation as { practiceId: string }
      const name = operation.kind === 'add' ? `${operation.firstName} ${operation.lastName}` : rows.get(stream)?.name
      if (name === undefined) problems.push(`patient ${id} belongs to no import row`)
      const phone = operation.kind === 'add' ? operation.phone : null
      patients.set(id, { practiceId, name: name ?? '', phone, revision, importId: rows.get(stream)?.importId ?? null })
    } else if (!existing) problems.push(`patient ${id} was changed before it was registered`)
    else if (type === 'PatientRemoved') patients.delete(id)
    else if (operation.kind === 'change phone') patients.set(id, { ...existing, phone: operation.phone, revision })
  }
  return patients
}

/** Maps the stream that each import row must have become to its import and name. */
function mapImportRows(imports: ReadonlyMap<string, ImportState>): Map<string, { importId: string; name: string }> {
  const rows = new Map<string, { importId: string; name: string }>()
  for (const [importId, { people }] of imports)
    for (const [index, { firstName, lastName }] of people.entries())
      rows.set(`patient-${patientIdForRow(importId, index + 2)}`, { importId, name: `${firstName} ${lastName}` })
  return rows
}
