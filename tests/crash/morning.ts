import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Client, clientOf } from '#tests/support/client.ts'
import { password } from '#tests/support/practice.ts'
import { type Known, type KnownImport, type Ledger, outcomeOf } from './ledger.ts'

/** Numbers from 0 to 1 that follow from a seed. */
export type Random = () => number

type Desk = {
  url: string
  cookie: string | undefined
  email: string
  ledger: Ledger
  random: Random
  signal: AbortSignal
}

const people = 4
const mostImports = 6
const rowsOfAnImport = 12
let counter = 0

/** Several people work at once until the signal: they add patients, correct phones, remove some, import, sign in and out. */
export async function work(desk: Desk): Promise<void> {
  const own = Array.from({ length: people }, (_, at) => desk.ledger.patients.filter((_known, n) => n % people === at))
  await Promise.all([...own.map((mine) => receptionist(desk, mine)), importer(desk), visitor(desk)])
}

const browser = ({ url, cookie }: Desk): Client => {
  const client = clientOf(url)
  client.setCookie(cookie)
  return client
}

/** An answer, or null when the connection was cut. */
const asked = (answer: Promise<Answer>): Promise<Answer | null> => answer.catch(() => null)

async function receptionist(desk: Desk, mine: readonly Known[]): Promise<void> {
  const client = browser(desk)
  const known = [...mine]
  while (!desk.signal.aborted) {
    const there = known.filter(({ id, removed }) => id !== null && removed === 'refused')
    const one = there[Math.floor(desk.random() * there.length)]
    const dice = desk.random()
    if (!one || dice < 0.45) known.push(await add(desk, client))
    else if (dice < 0.9) await correct(desk, client, one)
    else await remove(desk, client, one)
  }
}

async function add({ ledger }: Desk, client: Client): Promise<Known> {
  const name = `Crash${++counter}x`
  const known: Known = {
    name,
    id: null,
    created: 'unknown',
    phones: new Set([null]),
    changes: { sure: 0, unknown: 0 },
    removed: 'refused',
  }
  ledger.patients.push(known)
  const answer = await asked(client.post('/api/patients', { firstName: 'Wanda', lastName: name }))
  known.created = outcomeOf(answer?.status ?? null)
  if (known.created !== 'sure') await sleep(50)
  else {
    known.id = answer?.body.id
    ledger.acknowledged++
  }
  return known
}

async function correct({ ledger }: Desk, client: Client, known: Known): Promise<void> {
  const phone = `617555${String(1_000 + (++counter % 9_000)).padStart(4, '0')}`
  const answer = await asked(client.patch(`/api/patients/${known.id}`, { phone }))
  const outcome = outcomeOf(answer?.status ?? null)
  if (outcome === 'sure') {
    known.phones = new Set([phone])
    known.changes.sure++
    ledger.acknowledged++
  } else if (outcome === 'unknown') {
    known.phones.add(phone)
    known.changes.unknown++
    await sleep(50)
  }
}

async function remove({ ledger }: Desk, client: Client, known: Known): Promise<void> {
  const answer = await asked(client.delete(`/api/patients/${known.id}`))
  known.removed = outcomeOf(answer?.status ?? null)
  if (known.removed === 'sure') ledger.acknowledged++
  else await sleep(50)
}

async function importer({ ledger, signal, ...desk }: Desk): Promise<void> {
  if (ledger.imports.length >= mostImports) return
  const client = browser({ ledger, signal, ...desk })
  const mark = `Brought${++counter}x`
  const known: KnownImport = { mark, id: null, rows: rowsOfAnImport, asked: 'unknown', undo: 'refused' }
  ledger.imports.push(known)
  const rows = Array.from({ length: rowsOfAnImport }, (_, row) => `Ines,${mark}${row},1980-01-01`)
  const csv = ['First Name,Last Name,DOB', ...rows].join('\n')
  const answer = await asked(client.post('/api/patients/import', { csv }))
  known.asked = outcomeOf(answer?.status ?? null)
  if (known.asked !== 'sure') return
  known.id = answer?.body.importId
  ledger.acknowledged++
  while (!signal.aborted) {
    const now = await asked(client.get(`/api/patients/import/${known.id}`))
    if (now?.body?.state === 'done') break
    await sleep(30)
  }
  if (signal.aborted || desk.random() < 0.5) return
  const undone = await asked(client.post(`/api/patients/import/${known.id}/undo`))
  known.undo = outcomeOf(undone?.status ?? null)
  if (known.undo === 'sure') ledger.acknowledged++
}

async function visitor(desk: Desk): Promise<void> {
  while (!desk.signal.aborted && desk.ledger.sessions.length < 24) {
    const client = clientOf(desk.url)
    const answer = await asked(client.post('/api/login', { email: desk.email, password }))
    const cookie = client.cookie()
    if (outcomeOf(answer?.status ?? null) !== 'sure' || !cookie) {
      await sleep(50)
      continue
    }
    const session = { cookie, ended: 'refused' as 'refused' | 'sure' | 'unknown' }
    desk.ledger.sessions.push(session)
    desk.ledger.acknowledged++
    await sleep(40)
    if (desk.random() < 0.5 || desk.signal.aborted) continue
    session.ended = outcomeOf((await asked(client.post('/api/logout')))?.status ?? null)
  }
}
