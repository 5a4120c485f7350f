import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiResponse, type Client, createClient } from '#tests/support/client.ts'
import { password, practiceDetails, registrationForm } from '#tests/support/practice.ts'
import { type Operation, type RequestLog, recordResponse } from './ledger.ts'
import type { Random } from './random.ts'

/** A patient as the clerks of a practice have it on screen. */
type KnownPatient = { revision: number }

/** A practice with a few people at work, all of them with the account of its owner. */
export type Practice = {
  id: string
  email: string
  /** Who can be edited, by id. */
  patients: Map<string, KnownPatient>
}

/** Somebody at a browser of their own. */
export type SimulatedUser = {
  practice: Practice
  client: Client
  /** Whether the session in the browser must be valid; null when a request about it was cut off. */
  signedIn: boolean | null
  /** Cookies of sessions that were signed out: they must stay so. */
  endedCookies: string[]
}

const usersPerPractice = 3

/** Two practices, three browsers each. Call it with an application that is ready. Throws where it refuses. */
export async function openPractices(url: string, ledger: RequestLog): Promise<SimulatedUser[]> {
  const clerks: SimulatedUser[] = []
  for (let count = 0; count < 2; count++) {
    const client = createClient(url)
    const sent = registrationForm()
    const practice: Practice = { id: '', email: sent.email, patients: new Map() }
    const owner: SimulatedUser = { practice, client, signedIn: true, endedCookies: [] }
    await askOrThrow(owner, ledger, { kind: 'register' }, 'POST', '/api/register', sent)
    practice.id = (
      await askOrThrow(owner, ledger, { kind: 'set up' }, 'POST', '/api/practices/setup', practiceDetails)
    ).id
    clerks.push(owner)
    for (let other = 1; other < usersPerPractice; other++) {
      const clerk: SimulatedUser = { practice, client: createClient(url), signedIn: false, endedCookies: [] }
      await signIn(clerk, ledger)
      clerks.push(clerk)
    }
  }
  return clerks
}

async function askOrThrow(
  clerk: SimulatedUser,
  ledger: RequestLog,
  deed: Operation,
  method: string,
  path: string,
  body: unknown,
) {
  const answer = await sendRequest(clerk, ledger, deed, method, path, body)
  if (!answer || answer.status >= 300) throw new Error(`${path}: ${answer?.status} ${JSON.stringify(answer?.body)}`)
  return answer.body
}

/** The same browsers, after the application has come back at another address. */
export function reconnectUsers(url: string, clerks: readonly SimulatedUser[]): void {
  for (const clerk of clerks) {
    const cookie = clerk.client.cookie()
    clerk.client = createClient(url)
    clerk.client.setCookie(cookie)
  }
}

/** Sends one request and writes down what became of it. Answers null when it was cut off. */
export async function sendRequest(
  { client }: SimulatedUser,
  ledger: RequestLog,
  deed: Operation,
  method: string,
  path: string,
  body?: unknown,
): Promise<ApiResponse | null> {
  const entry = ledger.begin(deed)
  try {
    const answer = await client.request(method, path, body, { 'x-correlation-id': entry.id })
    recordResponse(entry, answer.status, answer.body)
    return answer
  } catch {
    return null
  }
}

/** A new session in this browser. Answers whether there is one. */
export async function signIn(clerk: SimulatedUser, ledger: RequestLog): Promise<boolean> {
  const body = { email: clerk.practice.email, password }
  clerk.client.setCookie(undefined)
  const answer = await sendRequest(clerk, ledger, { kind: 'sign in' }, 'POST', '/api/login', body)
  clerk.signedIn = answer?.status === 200
  return clerk.signedIn
}

async function signOut(clerk: SimulatedUser, ledger: RequestLog): Promise<void> {
  const cookie = clerk.client.cookie()
  const answer = await sendRequest(clerk, ledger, { kind: 'sign out' }, 'POST', '/api/logout')
  if (answer?.status === 204 && cookie) clerk.endedCookies.push(cookie)
  clerk.signedIn = answer?.status === 204 ? false : null
}

/** Asks for an import of so many people. Answers its id when it was taken on. */
export async function startImport(
  clerk: SimulatedUser,
  ledger: RequestLog,
  chance: Random,
  size: number,
): Promise<string | null> {
  const { practice } = clerk
  const people = Array.from({ length: size }, () => ({ firstName: 'Imported', lastName: randomName(chance) }))
  const csv = ['First name,Last name', ...people.map((one) => `${one.firstName},${one.lastName}`)].join('\n')
  const deed: Operation = { kind: 'import', practiceId: practice.id, people }
  const answer = await sendRequest(clerk, ledger, deed, 'POST', '/api/patients/import', { csv })
  return answer?.status === 202 ? (answer.body.importId as string) : null
}

export async function undoImport(clerk: SimulatedUser, ledger: RequestLog, importId: string): Promise<void> {
  await sendRequest(clerk, ledger, { kind: 'undo', importId }, 'POST', `/api/patients/import/${importId}/undo`, {})
}

/** Works until told to stop, one request after the other, and no request is left when it resolves. */
export async function work(clerk: SimulatedUser, ledger: RequestLog, chance: Random, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const calm = await performRandomOperation(clerk, ledger, chance)
    // The application is away or just coming back: people try again in a moment.
    if (!calm) await sleep(50)
  }
}

/** Answers whether somebody answered. */
async function performRandomOperation(clerk: SimulatedUser, ledger: RequestLog, chance: Random): Promise<boolean> {
  if (clerk.signedIn !== true) {
    return await signIn(clerk, ledger)
  }
  const dice = chance.integerBelow(100)
  const someone = dice >= 50 ? chance.pick([...clerk.practice.patients.keys()]) : undefined
  if (dice >= 96) {
    await signOut(clerk, ledger)
    return true
  }
  if (dice >= 93) return (await startImport(clerk, ledger, chance, 10 + chance.integerBelow(30))) !== null
  if (dice >= 90) return await undoRandomImport(clerk, ledger, chance)
  if (someone !== undefined && dice >= 84) return await removePatient(clerk, ledger, someone)
  if (someone !== undefined) return await changePhone(clerk, ledger, chance, someone)
  return await addPatient(clerk, ledger, chance, dice < 5)
}

async function addPatient(
  clerk: SimulatedUser,
  ledger: RequestLog,
  chance: Random,
  nonsense: boolean,
): Promise<boolean> {
  const { practice } = clerk
  const named = { firstName: 'Added', lastName: randomName(chance), phone: nonsense ? '12' : randomPhone(chance) }
  const deed: Operation = { kind: 'add', practiceId: practice.id, ...named }
  const answer = await sendRequest(clerk, ledger, deed, 'POST', '/api/patients', named)
  if (answer?.status === 201) practice.patients.set(answer.body.id, { revision: answer.body.revision })
  return isHealthyResponse(answer)
}

/** With the revision that is on screen, which somebody else may have made an old one. */
async function changePhone(
  clerk: SimulatedUser,
  ledger: RequestLog,
  chance: Random,
  patientId: string,
): Promise<boolean> {
  const { patients } = clerk.practice
  const phone = randomPhone(chance)
  const body = { phone, revision: patients.get(patientId)?.revision ?? 0 }
  const deed: Operation = { kind: 'change phone', patientId, phone }
  const answer = await sendRequest(clerk, ledger, deed, 'PATCH', `/api/patients/${patientId}`, body)
  if (answer?.status === 200) patients.set(patientId, { revision: answer.body.revision })
  if (answer?.status === 404) patients.delete(patientId)
  if (answer?.status === 409) await refreshPatient(clerk, patientId)
  return isHealthyResponse(answer)
}

async function refreshPatient({ client, practice }: SimulatedUser, patientId: string): Promise<void> {
  const answer = await client.get(`/api/patients/${patientId}`).catch(() => null)
  if (answer?.status === 200) practice.patients.set(patientId, { revision: answer.body.revision })
  if (answer?.status === 404) practice.patients.delete(patientId)
}

async function removePatient(clerk: SimulatedUser, ledger: RequestLog, patientId: string): Promise<boolean> {
  const { patients } = clerk.practice
  const answer = await sendRequest(clerk, ledger, { kind: 'remove', patientId }, 'DELETE', `/api/patients/${patientId}`)
  if (answer && answer.status < 500) patients.delete(patientId)
  return isHealthyResponse(answer)
}

/** Takes an import back that is done, if there is one. */
async function undoRandomImport(clerk: SimulatedUser, ledger: RequestLog, chance: Random): Promise<boolean> {
  const answer = await clerk.client.get('/api/patients/import').catch(() => null)
  if (answer?.status !== 200) return false
  const done = (answer.body as { importId: string; state: string }[]).filter(({ state }) => state === 'done')
  if (done.length > 1) await undoImport(clerk, ledger, chance.pick(done).importId)
  return true
}

const isHealthyResponse = (answer: ApiResponse | null) => answer !== null && answer.status < 500

/** A family name that nobody else has. */
const randomName = (chance: Random) =>
  Array.from({ length: 10 }, () => chance.pick([...'abcdefghiklmnoprstuvwz'])).join('')

/** A number of the United States that hardly anybody else has. */
const randomPhone = (chance: Random) =>
  `+1${2 + chance.integerBelow(8)}${String(chance.integerBelow(1_000_000_000)).padStart(9, '0')}`
