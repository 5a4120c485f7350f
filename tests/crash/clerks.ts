import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Client, clientOf } from '#tests/support/client.ts'
import { password, practiceDetails, registration } from '#tests/support/practice.ts'
import { type Deed, type Ledger, note } from './ledger.ts'
import type { Random } from './random.ts'

/** A patient as the clerks of a practice have it on screen. */
type OnScreen = { revision: number }

/** A practice with a few people at work, all of them with the account of its owner. */
export type Practice = {
  id: string
  email: string
  /** Who can be edited, by id. */
  patients: Map<string, OnScreen>
}

/** Somebody at a browser of their own. */
export type Clerk = {
  practice: Practice
  client: Client
  /** Whether the session in the browser must be valid; null when a request about it was cut off. */
  signedIn: boolean | null
  /** Cookies of sessions that were signed out: they must stay so. */
  ended: string[]
}

const clerksOfPractice = 3

/** Two practices, three browsers each. Call it with an application that is ready. Throws where it refuses. */
export async function openPractices(url: string, ledger: Ledger): Promise<Clerk[]> {
  const clerks: Clerk[] = []
  for (let count = 0; count < 2; count++) {
    const client = clientOf(url)
    const sent = registration()
    const practice: Practice = { id: '', email: sent.email, patients: new Map() }
    const owner: Clerk = { practice, client, signedIn: true, ended: [] }
    await must(owner, ledger, { kind: 'register' }, 'POST', '/api/register', sent)
    practice.id = (await must(owner, ledger, { kind: 'set up' }, 'POST', '/api/practices/setup', practiceDetails)).id
    clerks.push(owner)
    for (let other = 1; other < clerksOfPractice; other++) {
      const clerk: Clerk = { practice, client: clientOf(url), signedIn: false, ended: [] }
      await signIn(clerk, ledger)
      clerks.push(clerk)
    }
  }
  return clerks
}

async function must(clerk: Clerk, ledger: Ledger, deed: Deed, method: string, path: string, body: unknown) {
  const answer = await ask(clerk, ledger, deed, method, path, body)
  if (!answer || answer.status >= 300) throw new Error(`${path}: ${answer?.status} ${JSON.stringify(answer?.body)}`)
  return answer.body
}

/** The same browsers, after the application has come back at another address. */
export function moveTo(url: string, clerks: readonly Clerk[]): void {
  for (const clerk of clerks) {
    const cookie = clerk.client.cookie()
    clerk.client = clientOf(url)
    clerk.client.setCookie(cookie)
  }
}

/** Sends one request and writes down what became of it. Answers null when it was cut off. */
export async function ask(
  { client }: Clerk,
  ledger: Ledger,
  deed: Deed,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer | null> {
  const entry = ledger.begin(deed)
  try {
    const answer = await client.request(method, path, body, { 'x-correlation-id': entry.id })
    note(entry, answer.status, answer.body)
    return answer
  } catch {
    return null
  }
}

/** A new session in this browser. Answers whether there is one. */
export async function signIn(clerk: Clerk, ledger: Ledger): Promise<boolean> {
  const body = { email: clerk.practice.email, password }
  clerk.client.setCookie(undefined)
  const answer = await ask(clerk, ledger, { kind: 'sign in' }, 'POST', '/api/login', body)
  clerk.signedIn = answer?.status === 200
  return clerk.signedIn
}

async function signOut(clerk: Clerk, ledger: Ledger): Promise<void> {
  const cookie = clerk.client.cookie()
  const answer = await ask(clerk, ledger, { kind: 'sign out' }, 'POST', '/api/logout')
  if (answer?.status === 204 && cookie) clerk.ended.push(cookie)
  clerk.signedIn = answer?.status === 204 ? false : null
}

/** Asks for an import of so many people. Answers its id when it was taken on. */
export async function startImport(clerk: Clerk, ledger: Ledger, chance: Random, size: number): Promise<string | null> {
  const { practice } = clerk
  const people = Array.from({ length: size }, () => ({ firstName: 'Imported', lastName: wordOf(chance) }))
  const csv = ['First name,Last name', ...people.map((one) => `${one.firstName},${one.lastName}`)].join('\n')
  const deed: Deed = { kind: 'import', practiceId: practice.id, people }
  const answer = await ask(clerk, ledger, deed, 'POST', '/api/patients/import', { csv })
  return answer?.status === 202 ? (answer.body.importId as string) : null
}

export async function undoImport(clerk: Clerk, ledger: Ledger, importId: string): Promise<void> {
  await ask(clerk, ledger, { kind: 'undo', importId }, 'POST', `/api/patients/import/${importId}/undo`, {})
}

/** Works until told to stop, one request after the other, and no request is left when it resolves. */
export async function work(clerk: Clerk, ledger: Ledger, chance: Random, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const calm = await doSomething(clerk, ledger, chance)
    // The application is away or just coming back: people try again in a moment.
    if (!calm) await sleep(50)
  }
}

/** Answers whether somebody answered. */
async function doSomething(clerk: Clerk, ledger: Ledger, chance: Random): Promise<boolean> {
  if (clerk.signedIn !== true) {
    return await signIn(clerk, ledger)
  }
  const dice = chance.below(100)
  const someone = dice >= 50 ? chance.pick([...clerk.practice.patients.keys()]) : undefined
  if (dice >= 96) {
    await signOut(clerk, ledger)
    return true
  }
  if (dice >= 93) return (await startImport(clerk, ledger, chance, 10 + chance.below(30))) !== null
  if (dice >= 90) return await undoOne(clerk, ledger, chance)
  if (someone !== undefined && dice >= 84) return await remove(clerk, ledger, someone)
  if (someone !== undefined) return await changePhone(clerk, ledger, chance, someone)
  return await add(clerk, ledger, chance, dice < 5)
}

async function add(clerk: Clerk, ledger: Ledger, chance: Random, nonsense: boolean): Promise<boolean> {
  const { practice } = clerk
  const named = { firstName: 'Added', lastName: wordOf(chance), phone: nonsense ? '12' : phoneOf(chance) }
  const deed: Deed = { kind: 'add', practiceId: practice.id, ...named }
  const answer = await ask(clerk, ledger, deed, 'POST', '/api/patients', named)
  if (answer?.status === 201) practice.patients.set(answer.body.id, { revision: answer.body.revision })
  return isCalm(answer)
}

/** With the revision that is on screen, which somebody else may have made an old one. */
async function changePhone(clerk: Clerk, ledger: Ledger, chance: Random, patientId: string): Promise<boolean> {
  const { patients } = clerk.practice
  const phone = phoneOf(chance)
  const body = { phone, revision: patients.get(patientId)?.revision ?? 0 }
  const deed: Deed = { kind: 'change phone', patientId, phone }
  const answer = await ask(clerk, ledger, deed, 'PATCH', `/api/patients/${patientId}`, body)
  if (answer?.status === 200) patients.set(patientId, { revision: answer.body.revision })
  if (answer?.status === 404) patients.delete(patientId)
  if (answer?.status === 409) await lookAgain(clerk, patientId)
  return isCalm(answer)
}

async function lookAgain({ client, practice }: Clerk, patientId: string): Promise<void> {
  const answer = await client.get(`/api/patients/${patientId}`).catch(() => null)
  if (answer?.status === 200) practice.patients.set(patientId, { revision: answer.body.revision })
  if (answer?.status === 404) practice.patients.delete(patientId)
}

async function remove(clerk: Clerk, ledger: Ledger, patientId: string): Promise<boolean> {
  const { patients } = clerk.practice
  const answer = await ask(clerk, ledger, { kind: 'remove', patientId }, 'DELETE', `/api/patients/${patientId}`)
  if (answer && answer.status < 500) patients.delete(patientId)
  return isCalm(answer)
}

/** Takes an import back that is done, if there is one. */
async function undoOne(clerk: Clerk, ledger: Ledger, chance: Random): Promise<boolean> {
  const answer = await clerk.client.get('/api/patients/import').catch(() => null)
  if (answer?.status !== 200) return false
  const done = (answer.body as { importId: string; state: string }[]).filter(({ state }) => state === 'done')
  if (done.length > 1) await undoImport(clerk, ledger, chance.pick(done).importId)
  return true
}

const isCalm = (answer: Answer | null) => answer !== null && answer.status < 500

/** A family name that nobody else has. */
const wordOf = (chance: Random) => Array.from({ length: 10 }, () => chance.pick([...'abcdefghiklmnoprstuvwz'])).join('')

/** A number of the United States that hardly anybody else has. */
const phoneOf = (chance: Random) => `+1${2 + chance.below(8)}${String(chance.below(1_000_000_000)).padStart(9, '0')}`
