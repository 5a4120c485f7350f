import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { withEngine } from '#backend/command-line.ts'
import { modules } from '#backend/modules.ts'
import type { Recorded } from '#eventstore/event.ts'
import { verify } from '#projections/verify.ts'
import { type Client, clientOf } from '#tests/support/client.ts'
import type { Known, Ledger } from './ledger.ts'

/** Patience with a job that goes on after a crash, in milliseconds. */
const longest = 30_000

/** Compares what the clients were told with what is there. Every sentence is a promise that was broken. */
export async function brokenPromises(ledger: Ledger, url: string, cookie: string | undefined): Promise<string[]> {
  const client = clientOf(url)
  client.setCookie(cookie)
  const problems: string[] = []
  await settle(ledger, client, problems)
  await onScreen(ledger, client, problems)
  await sessions(ledger, url, problems)
  await withEngine({ err: () => undefined }, async ({ store, pool }) => {
    const history = new Map<string, Recorded[]>()
    for (let after = null as string | null; ;) {
      const { events, next } = await store.readAll(after, 2_000)
      if (events.length === 0) break
      for (const event of events) history.set(event.stream, [...(history.get(event.stream) ?? []), event])
      after = next
    }
    inTheRecord(ledger, history, problems)
    problems.push(...(await withoutGaps(pool)))
    for (const projection of modules.flatMap(({ projections = [] }) => projections)) {
      const { differences } = await verify({ store, pool }, projection)
      if (differences > 0) problems.push(`${projection.name} differs from its refold in ${differences} rows`)
    }
  })
  return problems
}

/** Imports go on by themselves; from then on what was unknown of them is known. */
async function settle(ledger: Ledger, client: Client, problems: string[]): Promise<void> {
  for (const known of ledger.imports) {
    if (known.id === null) continue
    for (const began = Date.now(); ;) {
      const { status, body } = await client.get(`/api/patients/import/${known.id}`)
      if (status !== 200) {
        problems.push(`the import ${known.mark} answers ${status}`)
        break
      }
      if (body.state === 'done' || body.state === 'undone') {
        if (known.undo === 'sure' && body.state !== 'undone') problems.push(`the undo of ${known.mark} is lost`)
        if (known.undo === 'refused' && body.state === 'undone') problems.push(`${known.mark} was undone unasked`)
        known.undo = body.state === 'undone' ? 'sure' : 'refused'
        break
      }
      if (Date.now() - began > longest) {
        problems.push(`the import ${known.mark} stays ${body.state}`)
        break
      }
      await sleep(50)
    }
  }
}

/** What people see: the whole list, page by page. */
async function onScreen(ledger: Ledger, client: Client, problems: string[]): Promise<void> {
  const rows = new Map<string, { id: string; phone: string | null }[]>()
  for (let path: string | undefined = '/api/patients?limit=500'; path;) {
    const answer = await client.get(path)
    if (answer.status !== 200) return void problems.push(`the list of patients answers ${answer.status}`)
    for (const { id, lastName, phone } of answer.body)
      rows.set(lastName, [...(rows.get(lastName) ?? []), { id, phone: phone?.replace('+1', '') ?? null }])
    path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  for (const known of ledger.patients) compare(known, rows.get(known.name) ?? [], problems)
  for (const { mark, rows: wanted, undo, id } of ledger.imports) {
    const there = [...rows.keys()].filter((name) => name.startsWith(mark)).length
    const twice = [...rows].filter(([name, ones]) => name.startsWith(mark) && ones.length > 1).length
    if (twice > 0) problems.push(`${twice} people of the import ${mark} are there twice`)
    if (id !== null && there !== (undo === 'sure' ? 0 : wanted)) problems.push(`${there} people of ${mark} are there`)
  }
  const expected = new Set(ledger.patients.map(({ name }) => name))
  for (const name of rows.keys())
    if (!expected.has(name) && !ledger.imports.some(({ mark }) => name.startsWith(mark)))
      problems.push(`${name} was invented`)
}

/** Holds one patient to what is known, and takes what is there for known from now on. */
function compare(known: Known, rows: readonly { id: string; phone: string | null }[], problems: string[]): void {
  const [row] = rows
  if (rows.length > 1) problems.push(`${known.name} is there ${rows.length} times`)
  if (!row) {
    if (known.created === 'sure' && known.removed === 'refused') problems.push(`${known.name} is lost`)
    if (known.removed === 'unknown') known.removed = 'sure'
    return
  }
  if (known.created === 'refused') problems.push(`${known.name} was refused and is there`)
  if (known.removed === 'sure') problems.push(`${known.name} was removed and is there`)
  if (!known.phones.has(row.phone)) problems.push(`${known.name} has the phone ${row.phone}`)
  if (known.id !== null && known.id !== row.id) problems.push(`${known.name} has another id`)
  known.created = 'sure'
  known.removed = 'refused'
  known.id = row.id
  known.phones = new Set([row.phone])
}

/** The facts themselves: as many as were answered, at most as many as were asked for. */
function inTheRecord(ledger: Ledger, history: ReadonlyMap<string, readonly Recorded[]>, problems: string[]): void {
  const ids = [...history.values()].flat().map(({ id }) => id)
  if (new Set(ids).size !== ids.length) problems.push('an event is in the record twice')
  for (const known of ledger.patients) {
    if (known.id === null) continue
    const events = history.get(`patient-${known.id}`) ?? []
    const count = (type: string) => events.filter((event) => event.type === type).length
    if (count('PatientRegistered') !== 1)
      problems.push(`${known.name} was registered ${count('PatientRegistered')} times`)
    const changes = count('PatientContactChanged')
    const { sure, unknown } = known.changes
    if (changes < sure || changes > sure + unknown)
      problems.push(`${known.name} has ${changes} changes of ${sure} answered and ${unknown} cut off`)
    known.changes = { sure: changes, unknown: 0 }
    const removals = count('PatientRemoved')
    if (known.removed !== 'unknown' && removals !== (known.removed === 'sure' ? 1 : 0))
      problems.push(`${known.name} was removed ${removals} times`)
  }
}

async function withoutGaps(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ gaps: number; streams: number }>(`
    select (select coalesce(max(position), 0) - count(*) from es.events)::int as gaps,
           (select count(*) from (select 1 from es.events group by stream having max(revision) + 1 <> count(*)) as s)::int
             as streams`)
  const [found = { gaps: -1, streams: -1 }] = rows
  return [
    ...(found.gaps === 0 ? [] : [`${found.gaps} positions are missing`]),
    ...(found.streams === 0 ? [] : [`${found.streams} streams have gaps`]),
  ]
}

/** A session lasts through a crash, and one that was ended stays ended. */
async function sessions(ledger: Ledger, url: string, problems: string[]): Promise<void> {
  for (const session of ledger.sessions) {
    const client = clientOf(url)
    client.setCookie(session.cookie)
    const { status } = await client.get('/api/user')
    if (session.ended === 'refused' && status !== 200) problems.push(`a session was lost (${status})`)
    if (session.ended === 'sure' && status !== 401) problems.push(`a session that was ended goes on (${status})`)
    if (session.ended === 'unknown') session.ended = status === 200 ? 'refused' : 'sure'
  }
}
