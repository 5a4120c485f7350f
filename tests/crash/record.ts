import type { Pool } from 'pg'
import { patientIdForRow } from '#modules/patients/import/run-import.ts'
import type { Operation, RequestEntry, RequestLog } from './ledger.ts'

/** An event of the record as far as nobody can seal it. */
export type StoredEvent = {
  stream: string
  revision: number
  type: string
  correlationId: string
  causationId: string
  /** Whether a person asked for it, or a process of ours did it by itself. */
  actorKind: 'user' | 'process'
}

/** A patient as they must be on screen. */
export type ExpectedPatient = {
  practiceId: string
  name: string
  phone: string | null
  revision: number
  importId: string | null
}

/** Where an import is, by the record. */
export type ImportState = { practiceId: string; people: readonly Person[]; registered: number; last: string }
type Person = { firstName: string; lastName: string }

/** What the record says, and how much of it there was. */
export type EventLogState = {
  problems: string[]
  eventCount: number
  fingerprint: string
  patients: Map<string, ExpectedPatient>
  imports: Map<string, ImportState>
}

/** Numbers from 1 without a gap, revisions from 0 without a gap, no id twice; and the past as it was. */
const integritySql = `
  select count(*)::int as facts, coalesce(min(position), 1)::int as first, coalesce(max(position), 0)::int as last,
    count(distinct event_id)::int as ids,
    (select count(*)::int from (select from es.events group by stream
       having count(*) <> max(revision) + 1 or min(revision) <> 0) broken) as broken,
    md5(coalesce(string_agg(event_id || stream || revision || md5(data), '' order by position), '')) as fingerprint,
    md5(coalesce(string_agg(event_id || stream || revision || md5(data), '' order by position)
      filter (where position <= $1), '')) as past
  from es.events`

/**
 * Reads the record from PostgreSQL itself and holds it against what was asked for and answered: every fact that was
 * acknowledged is there once, nothing that was refused is there, and of what was cut off all or nothing.
 */
export async function checkEventLog(
  pool: Pool,
  ledger: RequestLog,
  before: Pick<EventLogState, 'eventCount' | 'fingerprint'>,
): Promise<EventLogState> {
  const problems: string[] = []
  const [whole] = (await pool.query(integritySql, [before.eventCount])).rows
  if (whole.first !== 1 || whole.last !== whole.facts) problems.push(`positions have gaps: ${JSON.stringify(whole)}`)
  if (whole.ids !== whole.facts) problems.push(`${whole.facts - whole.ids} event ids are there twice`)
  if (whole.broken > 0) problems.push(`${whole.broken} streams have gaps`)
  if (whole.past !== before.fingerprint) problems.push('what was in the record before the kill is not as it was')

  const { rows } = await pool.query<StoredEvent>(
    `select stream, revision::int, type, metadata::jsonb ->> 'correlationId' as "correlationId",
       metadata::jsonb ->> 'causationId' as "causationId", metadata::jsonb -> 'actor' ->> 'kind' as who
     from es.events where position <= $1 order by position`,
    [whole.facts],
  )
  const byRequest = Map.groupBy(rows, ({ correlationId }) => correlationId)
  const unasked = rows.filter(({ correlationId }) => !ledger.find(correlationId))
  for (const { type, actorKind: who } of unasked) if (who === 'user') problems.push(`nobody asked for ${type}`)
  // The rows of an import have one cause; every other one leads to the same fact once.
  const reacting = rows.filter(({ type, actorKind: who }) => who === 'process' && !importEvents.includes(type))
  const reactions = Map.groupBy(reacting, ({ type, causationId }) => `${type} because of ${causationId}`)
  for (const [what, each] of reactions) if (each.length > 1) problems.push(`${each.length} times ${what}`)
  const imports = new Map<string, ImportState>()
  for (const entry of ledger.entries()) {
    const facts = byRequest.get(entry.id) ?? []
    const problem = checkEntry(entry, facts, imports)
    if (problem) problems.push(`${entry.operation.kind} (${entry.outcome}, ${entry.status ?? 'no answer'}): ${problem}`)
  }
  const patients = deriveExpectedPatients(rows, ledger, imports, problems)
  return { problems, eventCount: whole.facts, fingerprint: whole.fingerprint, patients, imports }
}

const listTypes = (facts: readonly StoredEvent[] = []) => facts.map(({ type }) => type).join(', ')

/** What a request leads to at once. What a job does in its name later is judged on its own. */
const immediateEvents: Record<Operation['kind'], readonly string[]> = {
  register: ['EmailReserved', 'UsernameReserved', 'UserRegistered', 'SignedIn'],
  'set up': ['PracticeSetUp'],
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
  facts: readonly StoredEvent[],
  imports: Map<string, ImportState>,
): string | undefined {
  const { operation: deed, outcome, response: answered } = entry
  const later = eventsFromJobs[deed.kind] ?? []
  const atOnce = facts.filter(({ type }) => !later.includes(type))
  const due = immediateEvents[deed.kind]
  if (outcome === 'refused' && facts.length > 0) return `is there all the same: ${listTypes(facts)}`
  // An import that was asked for twice to be taken back is taken back once.
  const isThere = listTypes(atOnce) === due.join(', ') || (deed.kind === 'undo' && facts.length === 0)
  if (outcome === 'done' && !isThere) return `was acknowledged, and there is ${listTypes(facts) || 'nothing'}`
  if (outcome === 'unknown' && atOnce.length > 0 && !isThere) return `is there by half: ${listTypes(facts)}`
  const [first] = atOnce
  if (!first) return facts.length > 0 ? `work without an order: ${listTypes(facts)}` : undefined
  if (answered?.revision !== undefined && first.revision !== answered.revision && deed.kind !== 'set up')
    return `was answered with revision ${answered.revision} and is ${first.revision}`
  if (answered?.id && deed.kind === 'add' && first.stream !== `patient-${answered.id}`) return 'is another record'
  if (deed.kind === 'import') {
    const id = first.stream.slice('import-'.length)
    const registered = facts.filter(({ type }) => type === 'PatientRegistered').length
    const last = facts.at(-1)?.type ?? ''
    imports.set(id, { practiceId: deed.practiceId, people: deed.people, registered, last })
    if (registered > deed.people.length) return `${registered} patients out of ${deed.people.length} rows`
    if (last === 'ImportFinished' && registered !== deed.people.length)
      return `is finished with ${registered} of ${deed.people.length}`
  }
  return undefined
}

/** Every patient as they must be on screen: what was asked for, in the order in which the record has it. */
function deriveExpectedPatients(
  facts: readonly StoredEvent[],
  ledger: RequestLog,
  imports: ReadonlyMap<string, ImportState>,
  problems: string[],
): Map<string, ExpectedPatient> {
  const rows = mapImportRows(imports)
  const patients = new Map<string, ExpectedPatient>()
  for (const { stream, revision, type, correlationId } of facts) {
    const deed = ledger.find(correlationId)?.operation
    if (!deed || !stream.startsWith('patient-')) continue
    const id = stream.slice('patient-'.length)
    const there = patients.get(id)
    if (type === 'PatientRegistered') {
      if (revision !== 0) problems.push(`patient ${id} is registered twice`)
      const { practiceId } = deed as { practiceId: string }
      const name = deed.kind === 'add' ? `${deed.firstName} ${deed.lastName}` : rows.get(stream)?.name
      if (name === undefined) problems.push(`patient ${id} is of no row`)
      const phone = deed.kind === 'add' ? deed.phone : null
      patients.set(id, { practiceId, name: name ?? '', phone, revision, importId: rows.get(stream)?.importId ?? null })
    } else if (!there) problems.push(`patient ${id} was changed without being there`)
    else if (type === 'PatientRemoved') patients.delete(id)
    else if (deed.kind === 'change phone') patients.set(id, { ...there, phone: deed.phone, revision })
  }
  return patients
}

/** Who the rows of the imports are, by the stream each must have become. */
function mapImportRows(imports: ReadonlyMap<string, ImportState>): Map<string, { importId: string; name: string }> {
  const rows = new Map<string, { importId: string; name: string }>()
  for (const [importId, { people }] of imports)
    for (const [index, { firstName, lastName }] of people.entries())
      rows.set(`patient-${patientIdForRow(importId, index + 2)}`, { importId, name: `${firstName} ${lastName}` })
  return rows
}
