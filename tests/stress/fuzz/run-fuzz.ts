import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import pLimit from 'p-limit'
import type { Endpoint } from '#contracts/endpoint.ts'
import {
  createFuzzPractice,
  findForeignEvents,
  foreignBirthDate,
  foreignWord,
  type FuzzPractice,
  hasEventsOf,
  type Installation,
  noteNewIds,
  readPractice,
  signInCallers,
} from './practices.ts'
import { arbitraryRequests, type CallerName, type FuzzRequest } from './requests.ts'
import { unknownId } from './values.ts'
import { createSender, type Outcome, type Sender, type Sent } from './send.ts'

/**
 * Endpoints that need what no client can make up: a secret from a mail, a device, the password, the service of a vendor, or work of
 * the background that has failed.
 */
const beyondReach = new Set([
  'POST /api/account/email/confirm',
  'POST /api/account/email/proof',
  'POST /api/account/passkeys',
  'POST /api/account/passkeys/:passkeyId/remove',
  'POST /api/account/password',
  'POST /api/account/two-factor/enable',
  'POST /api/account/two-factor/recovery-codes',
  'POST /api/appointment-confirmations/:confirmationId/resend',
  'POST /api/data-exports/:exportId/retry',
  'POST /api/email/confirm',
  'POST /api/forms/:formId/chart',
  'POST /api/insurance/:verificationId/ask',
  'POST /api/login/passkey',
  'POST /api/password/reset',
  'POST /api/team/:userId/transfer-ownership',
  'POST /api/team/:userId/two-factor/reset',
])

/** Requests between two new practices, because requests remove the records that later ones would need. */
const requestsPerPractice = 1_500
const batchSize = 100
const maxInFlight = 8

type Options = Installation & {
  endpoints: readonly Endpoint[]
  requests: number
  /** Repeats the requests of an earlier run; ids and times differ. */
  seed: number
  /** A response that takes longer is a hang; without it, the run waits. */
  maxResponseMs?: number
  /** Called after every batch with the number of requests so far. */
  onBatch?: (done: number) => Promise<void> | void
  signal?: AbortSignal
}

/** The result of a run. `counts`: responses by status, and requests whose connection the server closed. */
export type FuzzReport = {
  requests: number
  /** The endpoints, such as `GET /api/user`, that accepted no request at all. */
  neverAccepted: readonly string[]
  counts: ReadonlyMap<string, number>
  hung: number
  slowestMs: number
  problems: readonly string[]
}

/** Sends random requests to every endpoint, as every kind of caller. Another practice in the same installation must not notice. */
export async function runFuzz(options: Options): Promise<FuzzReport> {
  const { url, seed, onBatch, signal } = options
  const sender = createSender(url, options.maxResponseMs)
  const limit = pLimit(maxInFlight)
  const arbitrary = arbitraryRequests(options.endpoints)
  const counts = new Map<string, number>()
  const problems: string[] = []
  const secretEndpoints = new Set(
    options.endpoints.flatMap(({ isSecret, method, path }) => (isSecret ? [`${method} ${path}`] : [])),
  )
  const named = options.endpoints.map(({ method, path }) => `${method} ${path}`)
  const neverAccepted = new Set(named.filter((name) => !beyondReach.has(name)))
  let [done, hung, slowestMs] = [0, 0, 0]

  const other = await createFuzzPractice(options, foreignWord)
  const before = await readPractice(other)

  async function sendOne(request: FuzzRequest, own: FuzzPractice, cookies: Cookies) {
    const sent = resolve(request, { own, other }, url, cookies[request.caller])
    const count = async (each: Sent) => {
      const startedAt = performance.now()
      const outcome = await sender.send(each)
      slowestMs = Math.max(slowestMs, performance.now() - startedAt)
      const key = outcome.kind === 'answered' ? String(outcome.status) : outcome.kind
      counts.set(key, (counts.get(key) ?? 0) + 1)
      if (outcome.kind === 'hung') hung++
      const problem = findProblem(outcome, other) ?? findForeignWrite(outcome, request)
      if (problem) problems.push(`${problem}: ${request.caller} ${describeRequest(each)}`)
      return outcome
    }
    const { endpoint } = request
    const isReplyKept = endpoint === null || !secretEndpoints.has(endpoint)
    const hasWritten = ({ headers }: Accepted) => hasEventsOf(options, String(headers['x-correlation-id']))
    const repeated = { ...request, isReplyKept }
    const [outcome, problem] = await sendTwice({ send: count, hasWritten }, sent, repeated, cookies)
    if (problem) problems.push(`${problem}: ${request.caller} ${describeRequest(sent)}`)
    if (!isAccepted(outcome) || endpoint === null) return
    neverAccepted.delete(endpoint)
    if (sessionEndpoints.has(endpoint)) cookies.guest = findCookie(outcome) ?? cookies.guest
    else noteNewIds(own, endpoint, outcome.text)
  }

  try {
    while (done < options.requests && !signal?.aborted) {
      const own = await createFuzzPractice(options, 'Harbor')
      const cookies = await signInCallers(options, own)
      // The guest has signed in: whether a random sign-in is valid, too, is a matter of chance.
      neverAccepted.delete('POST /api/login')
      const end = Math.min(options.requests, done + requestsPerPractice)
      while (done < end && !signal?.aborted) {
        const numRuns = Math.min(batchSize, end - done)
        const batch = fc.sample(arbitrary, { numRuns, seed: seed + done })
        await Promise.all(batch.map((request) => limit(() => sendOne(request, own, cookies))))
        done += numRuns
        await onBatch?.(done)
      }
    }
    for (const [path, after] of Object.entries(await readPractice(other)))
      if (!isDeepStrictEqual(after, before[path])) problems.push(`the other practice changed: ${path}`)
    for (const stream of await findForeignEvents(options, other)) problems.push(`foreign events: ${stream}`)
  } finally {
    sender.close()
  }
  return {
    requests: done,
    neverAccepted: [...neverAccepted],
    counts,
    hung,
    slowestMs: Math.round(slowestMs),
    problems,
  }
}

type Cookies = Record<CallerName, string | undefined>
type Accepted = Extract<Outcome, { kind: 'answered' }>

const isAccepted = (outcome: Outcome): outcome is Accepted =>
  outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300

const sessionEndpoints = new Set(['POST /api/register', 'POST /api/login'])
const findCookie = ({ headers }: Accepted) => headers['set-cookie']?.map((line) => line.split(';')[0]).join('; ')

/** `hasWritten` returns whether a request that was accepted wrote events. */
type RepeatingSender = Pick<Sender, 'send'> & { hasWritten: (accepted: Accepted) => Promise<boolean> }

/**
 * Sends a request and, with the same idempotency key, the request that repeats it. Returns the outcome of the first one, and
 * what is wrong with that of the second; undefined when nothing is.
 */
async function sendTwice(
  sender: RepeatingSender,
  sent: Sent,
  { repetition, caller, isReplyKept }: FuzzRequest & { isReplyKept: boolean },
  cookies: Cookies,
): Promise<readonly [Outcome, string | undefined]> {
  if (!repetition) return [await sender.send(sent), undefined]
  const { key, kind } = repetition
  const keyed = { ...sent, headers: { ...sent.headers, 'idempotency-key': `"${key}"` } }
  /**
   * Returns whether accepted requests were carried out more than once. Where replies are not kept, a repetition shows the
   * record as it is by then: another caller may have changed it in between, but the repetition itself must not.
   */
  const areRepeated = async (...accepted: readonly [Accepted, Accepted]) => {
    if (accepted[0].text === accepted[1].text) return false
    return isReplyKept || (await Promise.all(accepted.map(sender.hasWritten))).every(Boolean)
  }
  if (kind === 'at-once') {
    const [one, another] = await Promise.all([sender.send(keyed), sender.send(keyed)])
    const isTwice = isAccepted(one) && isAccepted(another) && (await areRepeated(one, another))
    return [isAccepted(one) ? one : another, isTwice ? 'done twice at once' : undefined]
  }
  const first = await sender.send(keyed)
  if (!isAccepted(first)) return [first, undefined]
  if (kind === 'other-body') {
    const second = await sender.send({ ...keyed, target: `${keyed.target.split('?')[0]}?other` })
    // Where nothing of a request is kept, it cannot be compared.
    return [first, isReplyKept && isAccepted(second) ? 'a key was accepted with another request' : undefined]
  }
  if (kind === 'other-user') {
    const cookie = cookies[caller === 'owner' ? 'administrator' : 'owner'] ?? ''
    const second = await sender.send({ ...keyed, headers: { ...keyed.headers, cookie } })
    const isReplayed = second.kind === 'answered' && 'idempotency-replayed' in second.headers
    return [first, isReplayed ? 'a reply to another user' : undefined]
  }
  const second = await sender.send(keyed)
  const isReplayed = isAccepted(second) && (!isReplyKept || 'idempotency-replayed' in second.headers)
  const isSame = isReplayed && !(await areRepeated(first, second))
  return [first, isSame || isRefusedNow(second) ? undefined : `repeated with another result`]
}

/** Returns whether the caller lost access after the first request: signed out, or a plan or a quota has ended. */
const isRefusedNow = (outcome: Outcome) => outcome.kind === 'answered' && [401, 403, 429].includes(outcome.status)

type Practices = Record<'own' | 'other', FuzzPractice>

/** Replaces the placeholders of a request and adds the cookie, unless the request has one. */
function resolve(request: FuzzRequest, practices: Practices, url: string, cookie: string | undefined): Sent {
  const fill = (text: string) =>
    text.replaceAll(
      /\{\{(own|other)\.([^}]+)\}\}/g,
      (_, whose: keyof Practices, name: string) => practices[whose].ids[name] ?? unknownId,
    )
  const { method, target, headers, body } = request
  const defaults = { 'x-forwarded-for': practices.own.address, ...(method === 'GET' ? {} : { origin: url }) }
  return {
    method,
    target: toValidTarget(fill(target)),
    headers: { ...defaults, ...(cookie ? { cookie } : {}), ...headers },
    body: typeof body === 'string' ? fill(body) : body,
  }
}

/** Percent-encodes what HTTP does not allow in a target. */
const toValidTarget = (target: string) =>
  target.replaceAll(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character))

/** Returns what is wrong with an outcome; undefined when nothing is. */
function findProblem(outcome: Outcome, { unnamedIds }: FuzzPractice): string | undefined {
  if (outcome.kind === 'hung') return 'hung'
  if (outcome.kind === 'closed') return undefined
  const { status, text, headers } = outcome
  if (status >= 500) return `${status} (correlation id ${headers['x-correlation-id']}) ${text.slice(0, 300)}`
  if (/\bat .+\.(ts|js|mjs):\d+/.test(text) && !headers['content-type']?.includes('javascript')) return 'a stack trace'
  if (text.toLowerCase().includes(foreignWord.toLowerCase()) || text.includes(foreignBirthDate)) return 'a foreign row'
  return unnamedIds.some((id) => text.includes(id)) ? 'a foreign id' : undefined
}

/** A path that names a record of the other practice must never be accepted. */
const findForeignWrite = (outcome: Outcome, { target }: FuzzRequest) =>
  isAccepted(outcome) && target.split('?')[0]?.includes('{{other.')
    ? `${outcome.status} for a foreign record`
    : undefined

const describeRequest = ({ method, target, headers, body }: Sent) => {
  const { cookie: _, origin: _origin, ...others } = headers
  return `${method} ${target.slice(0, 300)} ${JSON.stringify(others).slice(0, 300)} ${String(body ?? '').slice(0, 600)}`
}
