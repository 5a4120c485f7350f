import type Koa from 'koa'
import type { Endpoint } from '#contracts/endpoint.ts'
import type { Deadline } from '#runtime/deadline.ts'
import { ProblemError } from './problems.ts'
import type { WriteRequest } from './run-write.ts'
import type { Caller } from './session.ts'

/** Returns the part of a request that decides whether it may run again. */
export function toWriteRequest(
  ctx: Koa.Context,
  endpoint: Endpoint,
  caller: Caller | undefined,
  deadline: Deadline,
): WriteRequest {
  const key = parseIdempotencyKey(ctx.get('Idempotency-Key'))
  const isPublic = endpoint.access === 'public'
  const sender = isPublic ? 'anonymous' : caller?.userId
  // Those of a practice stay in it, also when the sender moves to another one. Setting one up begins without.
  const practice = isPublic || endpoint.access === 'signed-in' ? '' : ` ${caller?.practiceId}`
  const keyed = key !== null && {
    key,
    scope: `${sender}${practice} ${endpoint.method} ${endpoint.path}`,
    // The text, because a deeply nested value overflows the stack when it is written again.
    content: JSON.stringify([ctx.params, ctx.query, ctx.request.rawBody ?? null]),
  }
  return { keyed: keyed || null, isReplyKept: !isPublic && !endpoint.isSecret, deadline }
}

/** Parses the header of the IETF draft: a string in quotes, or as many clients send it, without. Null without the header. */
function parseIdempotencyKey(header: string): string | null {
  if (header === '') return null
  const [, key] = /^"?([\x21\x23-\x7e]{1,255})"?$/.exec(header) ?? []
  if (key !== undefined) return key
  throw new ProblemError(400, 'invalid-idempotency-key', 'The idempotency key is not valid.', {
    errors: [{ path: 'Idempotency-Key', message: 'Please send 1 to 255 visible characters, such as a UUID' }],
  })
}
