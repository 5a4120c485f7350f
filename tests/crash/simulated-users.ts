import { setTimeout as sleep } from 'node:timers/promises'
import { BookingConcern } from '#contracts/values/appointments.ts'
import { type ApiResponse, type Client, createClient } from '#tests/support/client.ts'
import { cardDetails, waitForUserSubscription } from '#tests/support/billing.ts'
import { password, practiceDetails, registrationForm } from '#tests/support/practice.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { type Operation, type RequestLog, recordResponse } from './request-log.ts'
import type { Random } from './random.ts'

/** A patient as shown to the users of a practice. */
type KnownPatient = { revision: number }

/** A practice whose users share the account of its owner. */
export type Practice = {
  id: string
  email: string
  /** The patients that can be edited, by id. */
  patients: Map<string, KnownPatient>
  /** The ids of the appointments that can be moved and cancelled. */
  appointments: Set<string>
}

/** A simulated user in a separate browser. */
export type SimulatedUser = {
  practice: Practice
  client: Client
  /** True while the session must be valid; null when a sign-in or sign-out was cut off. */
  signedIn: boolean | null
  /** Cookies of signed-out sessions, which must stay invalid. */
  endedCookies: string[]
}

const usersPerPractice = 3

/** Sets up two practices with three users each on a ready application. Throws when a request is refused. */
export async function openPractices(url: string, requestLog: RequestLog): Promise<SimulatedUser[]> {
  const users: SimulatedUser[] = []
  for (let count = 0; count < 2; count++) {
    const client = createClient(url)
    const form = registrationForm()
    const practice: Practice = { id: '', email: form.email, patients: new Map(), appointments: new Set() }
    const owner: SimulatedUser = { practice, client, signedIn: true, endedCookies: [] }
    await sendOrThrow(owner, requestLog, { kind: 'register' }, 'POST', '/api/register', form)
    practice.id = (
      await sendOrThrow(owner, requestLog, { kind: 'set up' }, 'POST', '/api/practices/setup', practiceDetails)
    ).id
    await subscribeOwner(owner, requestLog)
    users.push(owner)
    for (let other = 1; other < usersPerPractice; other++) {
      const user: SimulatedUser = { practice, client: createClient(url), signedIn: false, endedCookies: [] }
      await signIn(user, requestLog)
      users.push(user)
    }
  }
  return users
}

/** Gives a practice a plan without a limit: a demo practice holds 500 patients. */
async function subscribeOwner(owner: SimulatedUser, requestLog: RequestLog): Promise<void> {
  const choice = { planType: 'enterprise' }
  const chosen = await sendOrThrow(
    owner,
    requestLog,
    { kind: 'choose plan' },
    'POST',
    '/api/create-subscription',
    choice,
  )
  const payment = { clientSecret: chosen.clientSecret, ...cardDetails }
  await sendOrThrow(owner, requestLog, { kind: 'pay' }, 'POST', '/api/billing-sandbox/confirm', payment)
  await waitForUserSubscription(owner.client, 'trial')
}

/**
 * Sends a request until it is answered, and throws when it is refused. On a starved machine, the time-outs of production refuse
 * some requests before anything is saved; one with an unknown outcome must not be sent again.
 */
async function sendOrThrow(
  user: SimulatedUser,
  requestLog: RequestLog,
  operation: Operation,
  method: string,
  path: string,
  body: unknown,
) {
  const answer = await waitUntil(
    () => sendRequest(user, requestLog, operation, method, path, body),
    (reply) => reply?.status !== 503 || reply.problem.code === 'outcome-unknown',
  )
  if (!answer || answer.status >= 300) throw new Error(`${path}: ${answer?.status} ${JSON.stringify(answer?.body)}`)
  return answer.body
}

/** Connects the same browsers to the application at its new address after a restart. */
export function reconnectUsers(url: string, users: readonly SimulatedUser[]): void {
  for (const user of users) {
    const cookie = user.client.cookie()
    user.client = createClient(url)
    user.client.setCookie(cookie)
  }
}

/** Sends a request and logs its outcome. Returns null when it was cut off. */
export async function sendRequest(
  { client }: SimulatedUser,
  requestLog: RequestLog,
  operation: Operation,
  method: string,
  path: string,
  body?: unknown,
): Promise<ApiResponse | null> {
  const entry = requestLog.begin(operation)
  try {
    const answer = await client.request(method, path, body, { 'x-correlation-id': entry.id })
    recordResponse(entry, answer.status, answer.body)
    return answer
  } catch {
    return null
  }
}

/** Signs in and returns whether it succeeded. */
export async function signIn(user: SimulatedUser, requestLog: RequestLog): Promise<boolean> {
  const body = { email: user.practice.email, password }
  user.client.setCookie(undefined)
  const answer = await sendRequest(user, requestLog, { kind: 'sign in' }, 'POST', '/api/login', body)
  user.signedIn = answer?.status === 200
  return user.signedIn
}

async function signOut(user: SimulatedUser, requestLog: RequestLog): Promise<void> {
  const cookie = user.client.cookie()
  const answer = await sendRequest(user, requestLog, { kind: 'sign out' }, 'POST', '/api/logout')
  if (answer?.status === 204 && cookie) user.endedCookies.push(cookie)
  user.signedIn = answer?.status === 204 ? false : null
}

/** Requests an import of `size` patients. Returns its id, or null when it was not accepted. */
export async function startImport(
  user: SimulatedUser,
  requestLog: RequestLog,
  random: Random,
  size: number,
): Promise<string | null> {
  const { practice } = user
  const people = Array.from({ length: size }, () => ({ firstName: 'Imported', lastName: randomName(random) }))
  const csv = ['First name,Last name', ...people.map((one) => `${one.firstName},${one.lastName}`)].join('\n')
  const operation: Operation = { kind: 'import', practiceId: practice.id, people }
  const answer = await sendRequest(user, requestLog, operation, 'POST', '/api/patients/import', { csv })
  return answer?.status === 202 ? (answer.body.importId as string) : null
}

export async function undoImport(user: SimulatedUser, requestLog: RequestLog, importId: string): Promise<void> {
  await sendRequest(user, requestLog, { kind: 'undo', importId }, 'POST', `/api/patients/import/${importId}/undo`, {})
}

/** Sends one request after the other until `stop` is aborted. No request is pending when it resolves. */
export async function work(
  user: SimulatedUser,
  requestLog: RequestLog,
  random: Random,
  stop: AbortSignal,
): Promise<void> {
  while (!stop.aborted) {
    const isUp = await performRandomOperation(user, requestLog, random)
    // The application is down or restarting.
    if (!isUp) await sleep(50)
  }
}

/** Returns whether the application replied without a server error. */
async function performRandomOperation(user: SimulatedUser, requestLog: RequestLog, random: Random): Promise<boolean> {
  if (user.signedIn !== true) {
    return await signIn(user, requestLog)
  }
  const roll = random.integerBelow(100)
  const patientId = roll >= 50 ? random.pick([...user.practice.patients.keys()]) : undefined
  if (roll >= 96) {
    await signOut(user, requestLog)
    return true
  }
  if (roll >= 93) return (await startImport(user, requestLog, random, 10 + random.integerBelow(30))) !== null
  if (roll >= 90) return await undoRandomImport(user, requestLog, random)
  if (patientId !== undefined && roll >= 84) return await removePatient(user, requestLog, patientId)
  if (patientId !== undefined && roll >= 64) return await schedule(user, requestLog, random, patientId)
  if (patientId !== undefined) return await changePhone(user, requestLog, random, patientId)
  return await addPatient(user, requestLog, random, roll < 5)
}

async function addPatient(
  user: SimulatedUser,
  requestLog: RequestLog,
  random: Random,
  isInvalid: boolean,
): Promise<boolean> {
  const { practice } = user
  const named = { firstName: 'Added', lastName: randomName(random), phone: isInvalid ? '12' : randomPhone(random) }
  const operation: Operation = { kind: 'add', practiceId: practice.id, ...named }
  const answer = await sendRequest(user, requestLog, operation, 'POST', '/api/patients', named)
  if (answer?.status === 201) practice.patients.set(answer.body.id, { revision: answer.body.revision })
  return isHealthyResponse(answer)
}

/** Changes a phone number with the revision on screen, which another user may have outdated. */
async function changePhone(
  user: SimulatedUser,
  requestLog: RequestLog,
  random: Random,
  patientId: string,
): Promise<boolean> {
  const { patients } = user.practice
  const phone = randomPhone(random)
  const body = { phone, revision: patients.get(patientId)?.revision ?? 0 }
  const operation: Operation = { kind: 'change phone', patientId, phone }
  const answer = await sendRequest(user, requestLog, operation, 'PATCH', `/api/patients/${patientId}`, body)
  if (answer?.status === 200) patients.set(patientId, { revision: answer.body.revision })
  if (answer?.status === 404) patients.delete(patientId)
  if (answer?.status === 409) await refreshPatient(user, patientId)
  return isHealthyResponse(answer)
}

async function refreshPatient({ client, practice }: SimulatedUser, patientId: string): Promise<void> {
  const answer = await client.get(`/api/patients/${patientId}`).catch(() => null)
  if (answer?.status === 200) practice.patients.set(patientId, { revision: answer.body.revision })
  if (answer?.status === 404) practice.patients.delete(patientId)
}

async function removePatient(user: SimulatedUser, requestLog: RequestLog, patientId: string): Promise<boolean> {
  const { patients } = user.practice
  const answer = await sendRequest(
    user,
    requestLog,
    { kind: 'remove', patientId },
    'DELETE',
    `/api/patients/${patientId}`,
  )
  if (answer && answer.status < 500) patients.delete(patientId)
  return isHealthyResponse(answer)
}

/** The first day that is booked. */
const firstDay = Date.UTC(2031, 0, 6)
/** Days that are booked, so few that many times are taken. */
export const bookedDays = { from: '2031-01-05T00:00:00Z', until: '2031-01-12T00:00:00Z' }

/** Books half an hour for a patient, or moves or cancels an appointment. Some of them end after midnight. */
async function schedule(
  user: SimulatedUser,
  requestLog: RequestLog,
  random: Random,
  patientId: string,
): Promise<boolean> {
  const { id: practiceId, appointments } = user.practice
  const roll = random.integerBelow(10)
  const startsAt = new Date(firstDay + random.integerBelow(4 * 96) * 900_000).toISOString()
  const confirmed = BookingConcern.options
  const appointmentId = roll < 5 || appointments.size === 0 ? undefined : random.pick([...appointments])
  if (appointmentId === undefined) {
    const body = { patientId, appointmentDate: startsAt, duration: 30, type: 'check-up', confirmed }
    const operation: Operation = { kind: 'book', practiceId, patientId, startsAt }
    const answer = await sendRequest(user, requestLog, operation, 'POST', '/api/appointments', body)
    if (answer?.status === 201) appointments.add(answer.body.id)
    return isHealthyResponse(answer)
  }
  const path = `/api/appointments/${appointmentId}`
  if (roll < 8) {
    const operation: Operation = { kind: 'move', appointmentId, startsAt }
    const body = { appointmentDate: startsAt, confirmed }
    return isHealthyResponse(await sendRequest(user, requestLog, operation, 'PATCH', path, body))
  }
  const answer = await sendRequest(user, requestLog, { kind: 'cancel', appointmentId }, 'DELETE', path)
  if (answer && answer.status < 500) appointments.delete(appointmentId)
  return isHealthyResponse(answer)
}

/** Undoes a finished import, if there is one. */
async function undoRandomImport(user: SimulatedUser, requestLog: RequestLog, random: Random): Promise<boolean> {
  const answer = await user.client.get('/api/patients/import').catch(() => null)
  if (answer?.status !== 200) return false
  const done = (answer.body as { importId: string; state: string }[]).filter(({ state }) => state === 'done')
  if (done.length > 1) await undoImport(user, requestLog, random.pick(done).importId)
  return true
}

const isHealthyResponse = (answer: ApiResponse | null) => answer !== null && answer.status < 500

/** Returns a unique last name. */
const randomName = (random: Random) =>
  Array.from({ length: 10 }, () => random.pick([...'abcdefghiklmnoprstuvwz'])).join('')

/** Returns a random phone number of the United States. */
const randomPhone = (random: Random) =>
  `+1${2 + random.integerBelow(8)}${String(random.integerBelow(1_000_000_000)).padStart(9, '0')}`
