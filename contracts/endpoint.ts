import type { z } from 'zod'
import type { Permission } from './values/roles.ts'
import type { Feature } from './values/tiers.ts'

/**
 * Who may call: anyone, whoever is signed in, whoever belongs to a practice, or whoever has a right in theirs, with a
 * `feature` only where the practice's plan opens it. There is no default: an endpoint that forgets it does not compile.
 */
export type Access = 'public' | 'signed-in' | 'member' | { permission: Permission; feature?: Feature }

/** One HTTP call, described once: the backend serves it, the web calls it, the tests enumerate it. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** `/api/patients/:patientId`; every `:name` has its entry in `params`. */
  path: `/api/${string}`
  access: Access
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  reply: z.ZodType
  /** Status of success; 200 when not given, 204 when the reply is null. */
  status?: number
  /** The largest body taken, in bytes; 1 MB when not given. */
  bodyLimit?: number
  /** Answers with server-sent events that do not end by themselves; each message is a reply. */
  stream?: true
}

export const endpoint = <const E extends Endpoint>(described: E): E => described

type Part<E extends Endpoint, K extends 'params' | 'query' | 'body', Side extends 'in' | 'out'> = E[K] extends z.ZodType
  ? { [P in K]: Side extends 'in' ? z.input<E[K]> : z.output<E[K]> }
  : unknown

/** What a handler receives: parsed and normalised. */
export type Request<E extends Endpoint> = Part<E, 'params', 'out'> & Part<E, 'query', 'out'> & Part<E, 'body', 'out'>
/** What a caller sends. */
export type RequestInput<E extends Endpoint> = Part<E, 'params', 'in'> & Part<E, 'query', 'in'> & Part<E, 'body', 'in'>
export type Reply<E extends Endpoint> = z.output<E['reply']>
