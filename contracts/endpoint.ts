import type { z } from 'zod'
import type { Permission } from './values/roles.ts'
import type { Feature } from './values/tiers.ts'

/**
 * The callers of an endpoint: everyone, signed-in users, members of a practice, or members with a permission,
 * optionally limited to plans with a `feature`. There is no default: an endpoint without it does not compile.
 */
export type Access = 'public' | 'signed-in' | 'member' | { permission: Permission; feature?: Feature }

/** An HTTP endpoint: the backend serves it, the web calls it, the tests enumerate it. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** `/api/patients/:patientId`; every `:name` has its entry in `params`. */
  path: `/api/${string}`
  access: Access
  params?: z.ZodType
  /** Parameters that it does not name are ignored; unknown fields of a body are refused (`z.strictObject`). */
  query?: z.ZodType
  body?: z.ZodType
  reply: z.ZodType
  /** The media type of a reply that is not JSON. */
  contentType?: string
  /** Returns what the caller's permissions include of a reply; the server applies it to every reply before it is sent. */
  withhold?(reply: unknown, may: (permission: Permission) => boolean): unknown
  /** The status of success; by default 200, or 204 when the reply is null. */
  status?: number
  /** Returns the status of a success where it depends on the reply, such as 202 for work that is still running. */
  statusOf?(reply: unknown): number
  /** Maximum size of the body in bytes; by default 1 MB. */
  bodyLimit?: number
  /** True for a POST that changes nothing, such as a preview. */
  readsOnly?: true
  /** True for a step of paying: the quotas of practices without a subscription must not stop those that buy one. */
  isPayment?: true
  /** True for passwords and other secrets in the request or reply: neither is kept for repetitions, not even as a hash. */
  isSecret?: true
  /**
   * True for what a member needs to set up two-factor sign-in. Where the practice requires it, every other endpoint that is not
   * public refuses a member without it: 403 `two-factor-setup-required`.
   */
  isTwoFactorSetUp?: true
  /** True for an endless stream of server-sent events; each message is a reply. */
  stream?: true
}

/** Returns whether a request to an endpoint may change something. */
export const mayWrite = ({ method, readsOnly }: Endpoint): boolean => method !== 'GET' && readsOnly !== true

/** Declares an endpoint with its literal type. */
export const endpoint = <const E extends Endpoint>(definition: E): E => definition

type Part<E extends Endpoint, K extends 'params' | 'query' | 'body', Side extends 'in' | 'out'> = E[K] extends z.ZodType
  ? { [P in K]: Side extends 'in' ? z.input<E[K]> : z.output<E[K]> }
  : unknown

/** The request as a handler receives it: parsed and normalized. */
export type Request<E extends Endpoint> = Part<E, 'params', 'out'> & Part<E, 'query', 'out'> & Part<E, 'body', 'out'>
/** The request as a caller sends it. */
export type RequestInput<E extends Endpoint> = Part<E, 'params', 'in'> & Part<E, 'query', 'in'> & Part<E, 'body', 'in'>
export type Reply<E extends Endpoint> = z.output<E['reply']>
