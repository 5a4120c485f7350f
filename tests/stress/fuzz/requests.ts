import fc from 'fast-check'
import type { z } from 'zod'
import { type Endpoint, mayWrite } from '#contracts/endpoint.ts'
import { Role } from '#contracts/values/roles.ts'
import { encodings, type EncodedBody, mutate, oddHeaders, oddIds } from './mutations.ts'
import { arbitraryFromContract, arbitraryId, arbitrarySecret, getRecordName } from './values.ts'

/** The callers: without a session, a user without a practice, and the owner and one member per role of a practice. */
const callers = ['anonymous', 'visitor', 'owner', ...Role.options] as const
/** `guest`: the user of the last session that a request began; it signs in and out and sets up a practice. */
export type CallerName = (typeof callers)[number] | 'guest'

/**
 * A second request with the same idempotency key: the same after the reply or at once, one with another body, or one of
 * another user.
 */
const repetitions = ['later', 'at-once', 'other-body', 'other-user'] as const
export type Repetition = { key: string; kind: (typeof repetitions)[number] }

/** A request in which `{{own.patientId}}` stands for the id of a record. */
export type FuzzRequest = {
  caller: CallerName
  /** The method and the path of the contract; null when the request was made for another method. */
  endpoint: string | null
  method: string
  /** With the query. */
  target: string
  repetition: Repetition | null
  headers: Record<string, string>
  body?: string | Buffer
}

/** Endpoints that end or replace the session of the caller; a caller whose session matters does not call them. */
const sessionPaths = ['/api/login', '/api/logout', '/api/register']
const sessionCallers: readonly CallerName[] = ['anonymous', 'guest', 'guest']
/** A visitor who sets up a practice is none any more. */
const setupCallers: readonly CallerName[] = ['guest', 'guest', ...callers.filter((caller) => caller !== 'visitor')]

const mostly = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: usual }, { weight: 4, arbitrary: odd })

/** Returns random requests to the given endpoints, valid ones and mutated ones. */
export const arbitraryRequests = (endpoints: readonly Endpoint[]): fc.Arbitrary<FuzzRequest> =>
  fc.oneof(...endpoints.map(arbitraryRequest))

function arbitraryRequest(endpoint: Endpoint): fc.Arbitrary<FuzzRequest> {
  const { path, method } = endpoint
  return fc
    .record({
      caller: arbitraryCaller(path),
      method: fc.oneof(
        { weight: 30, arbitrary: fc.constant<string>(method) },
        { weight: 1, arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'PUT', 'TRACE', 'GET', 'DELETE') },
      ),
      path: arbitraryPath(endpoint),
      query: arbitraryQuery(endpoint),
      sent: arbitraryBody(endpoint.body),
      headers: oddHeaders,
      repetition: arbitraryRepetition(endpoint),
    })
    .map(({ caller, method: sentMethod, path: sentPath, query, sent, headers, repetition }) => {
      // In capitals, the path is one of the web app.
      const isCall = sentMethod === method && sentPath.startsWith('/api/')
      return {
        caller,
        endpoint: isCall ? `${method} ${path}` : null,
        method: sentMethod,
        target: sentPath + query,
        headers: { ...headers, ...sent?.headers },
        repetition: isCall ? repetition : null,
        ...(sent ? { body: sent.body } : {}),
      }
    })
}

function arbitraryCaller(path: string): fc.Arbitrary<CallerName> {
  if (sessionPaths.includes(path)) return fc.constantFrom(...sessionCallers)
  if (path === '/api/practices/setup') return fc.constantFrom(...setupCallers)
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant<CallerName>('owner') },
    { weight: 7, arbitrary: fc.constantFrom(...callers) },
  )
}

/** Returns repetitions of some writes. Replies of public endpoints are not kept. */
function arbitraryRepetition(endpoint: Endpoint): fc.Arbitrary<Repetition | null> {
  if (!mayWrite(endpoint) || endpoint.access === 'public') return fc.constant(null)
  const repetition = fc.record({ key: fc.uuid(), kind: fc.constantFrom(...repetitions) })
  return fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: repetition })
}

/** Returns the path with an id in place of every parameter. */
function arbitraryPath({ path, params }: Endpoint): fc.Arbitrary<string> {
  if (!params) return fc.constantFrom(path, path, path, path, path, `${path}/`, `${path}//`, path.toUpperCase())
  const valid = arbitraryFromContract(params) as fc.Arbitrary<Record<string, unknown>>
  const named = fc.record({
    id: arbitraryId(getRecordName(path, 'id')),
    token: arbitrarySecret('invitationToken'),
  })
  const usual = fc
    .tuple(valid, named)
    .map(([values, records]) =>
      path.replaceAll(/:(\w+)/g, (_, name: string) => String({ ...values, ...records }[name])),
    )
  const odd = oddIds.map((id) =>
    path.replaceAll(/:\w+/g, id.startsWith('%') || id.startsWith('..%') ? id : encodeURIComponent(id)),
  )
  return fc.oneof({ weight: 5, arbitrary: usual }, { weight: 1, arbitrary: odd })
}

function arbitraryQuery({ query }: Endpoint): fc.Arbitrary<string> {
  const stray = fc.constantFrom('', '', '', '?', '?a=1&a=2', '?__proto__[x]=1', '?%', '?limit=5&offset=-1')
  if (!query) return stray
  const valid = arbitraryFromContract(query)
  return fc.oneof({ weight: 8, arbitrary: mostly(valid, mutate(valid)).map(toQuery) }, { weight: 1, arbitrary: stray })
}

function toQuery(values: unknown): string {
  if (typeof values !== 'object' || values === null) return '?'
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined)
      .map((one) => `${encode(name)}=${encode(typeof one === 'object' ? JSON.stringify(one) : String(one))}`),
  )
  return `?${pairs.join('&').slice(0, 6_000)}`
}

/** Encodes a text, also with unpaired surrogates, and leaves the braces of placeholders. */
const encode = (text: string) =>
  encodeURIComponent(text.toWellFormed()).replaceAll('%7B%7B', '{{').replaceAll('%7D%7D', '}}')

function arbitraryBody(body: z.ZodType | undefined): fc.Arbitrary<EncodedBody | undefined> {
  if (!body) return fc.constant(undefined)
  const valid = arbitraryFromContract(body)
  return mostly(valid, mutate(valid)).chain((value) => encodings(JSON.stringify(value) ?? ''))
}
