import type { Pool } from 'pg'
import { patientIdForRow } from '#modules/patients/import/run-import.ts'
import type { Operation, RequestEntry, RequestLog } from './request-log.ts'

/** The unencrypted part of a stored event. */
export type StoredEvent = {
  stream: string
  revision: number
  type: string
  correlationId: string
  causationId: string
  /** The kind of actor in the metadata: a user, or a background process. */
  actorKind: 'user' | 'process'
}

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

/** The state derived from the event log, with the number of events and a hash over them. */
export type EventLogState = {
  problems: string[]
  eventCount: number
  fingerprint: string
  patients: Map<string, ExpectedPatient>
  imports: Map<string, ImportState>
}

/** Reads the numbers that prove gapless positions and revisions, unique ids and an unchanged past. */
const integritySql = `
  select count(*)::int as events, coalesce(min(position), 1)::int as first, coalesce(max(position), 0)::int as last,
    count(distinct event_id)::int as ids,
    (select count(*)::int from (select from es.events group by stream
       having count(*) <> max(revision) + 1 or min(revision) <> 0) broken) as broken,
    md5(coalesce(string_agg(event_id || stream || revision || md5(data), '' order by position), '')) as fingerprint,
    md5(coalesce(string_agg(event_id || stream || revision || md5(data), '' order by position)
      filter (where position <= $1), '')) as past
  from es.events`

/**
 * Compares the event log, read directly from PostgreSQL, with the logged requests: every acknowledged event is stored
 * once, nothing refused is stored, and operations that were cut off are stored completely or not at all.
 */
export async function checkEventLog(
  pool: Pool,
  requestLog: RequestLog,
  before: Pick<EventLogState, 'eventCount' | 'fingerprint'>,
): Promise<EventLogState> {
  const problems: string[] = []
  const [totals] = (await pool.query(integritySql, [before.eventCount])).rows
  if (totals.first !== 1 || totals.last !== totals.events)
    problems.push(`positions have gaps: ${JSON.stringify(totals)}`)
  if (totals.ids !== totals.events) problems.push(`${totals.events - totals.ids} event ids are duplicated`)
  if (totals.broken > 0) problems.push(`${totals.broken} streams have gaps`)
  if (totals.past !== before.fingerprint) problems.push('events from before the kill have changed')

  const { rows } = await pool.query<StoredEvent>(
    `select stream, revision::int, type, metadata::jsonb ->> 'correlationId' as "correlationId",
       metadata::jsonb ->> 'causationId' as "causationId", metadata::jsonb -> 'actor' ->> 'kind' as "actorKind"
     from es.events where position <= $1 order by position`,
    [totals.events],
  )
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
  return { problems, eventCount: totals.events, fingerprint: totals.fingerprint, patients, imports }
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
