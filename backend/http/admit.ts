import type Koa from 'koa'
import type { Endpoint } from '#contracts/endpoint.ts'
import { authorize } from './access.ts'
import { storageFull } from './problems.ts'
import type { Caller } from './session.ts'
import type { WriteQuotas } from './write-quotas.ts'

/** The part of Koa's context that the application sets. */
type Gates = { refusesWrites(): boolean; quotas?: WriteQuotas }

/**
 * Admits a request before its body is read: a caller without access cannot make the server read 40 MB. Returns the caller. Throws
 * like `authorize`; 507 when the disk is nearly full, and 429 when the practice has written too much.
 */
export async function admit(ctx: Koa.Context, endpoint: Endpoint): Promise<Caller | undefined> {
  const caller = authorize(endpoint, ctx.state.caller as Caller | undefined)
  // Signing in and out are public: they go on as long as there is any room, so that everything can still be read.
  if (ctx.method !== 'GET' && endpoint.access !== 'public' && (ctx as unknown as Gates).refusesWrites())
    throw storageFull()
  if (caller) await findQuotas(ctx, endpoint)?.check(caller, endpoint)
  return caller
}

/** Counts the bytes of a handled request for the quotas of its caller. Signing out is not counted: it must always be possible. */
export function recordBytes(ctx: Koa.Context, endpoint: Endpoint, caller: Caller | undefined): void {
  if (caller) findQuotas(ctx, endpoint)?.recordBytes(caller, Buffer.byteLength(ctx.request.rawBody ?? ''))
}

/** Throws like `authorize` if the endpoint is no longer open to the caller, whose rights may have changed since the request began. */
export async function admitAgain(ctx: Koa.Context, endpoint: Endpoint): Promise<Caller | undefined> {
  const findCallerAgain = ctx.state.findCallerAgain as (() => Promise<Caller | null>) | undefined
  return authorize(endpoint, (await findCallerAgain?.()) ?? undefined)
}

/** Returns the quotas, if the endpoint is counted. */
const findQuotas = (ctx: Koa.Context, { method, access }: Endpoint): WriteQuotas | undefined =>
  method !== 'GET' && access !== 'public' ? (ctx as unknown as Gates).quotas : undefined
