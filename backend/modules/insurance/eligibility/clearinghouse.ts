import { z } from 'zod'
import { type Answer, type Inquiry, readAnswer, writeInquiry } from './x12.ts'
import type { ClearinghouseSettings } from './settings.ts'

/** Milliseconds after which a question without a reply is given up: insurers have 20 seconds by the rules of CAQH CORE. */
const timeoutMs = 30_000
/** The longest reply that is read, in characters. */
const maxReply = 1_000_000

const Reply = z.object({ x12: z.string().max(maxReply) })

const withoutAnswer = (outcome: 'retry-later' | 'no-answer', code: string): Answer => ({
  outcome,
  code,
  startsOn: null,
  endsOn: null,
})

/**
 * Asks the clearinghouse about a coverage, in one request that carries the question's id as its `Idempotency-Key`: asked again
 * under it, as after a kill, it is one question. Never throws for what the other side does; throws the reason of an aborted signal.
 */
export async function askClearinghouse(
  { url, key }: ClearinghouseSettings,
  inquiry: Inquiry,
  idempotencyKey: string,
  signal: AbortSignal,
): Promise<Answer> {
  try {
    const reply = await fetch(url, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json',
        'Idempotency-Key': idempotencyKey,
      },
      body: JSON.stringify({ x12: writeInquiry(inquiry) }),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    if (!reply.ok) {
      await reply.body?.cancel()
      const isTemporary = reply.status === 408 || reply.status === 429 || reply.status >= 500
      return withoutAnswer(isTemporary ? 'retry-later' : 'no-answer', `http-${reply.status}`)
    }
    const parsed = Reply.safeParse(parseJson(await reply.text()))
    return parsed.success ? readAnswer(parsed.data.x12, inquiry) : withoutAnswer('no-answer', 'unreadable')
  } catch {
    signal.throwIfAborted()
    return withoutAnswer('retry-later', 'no-reply')
  }
}

/** Returns whether no insurer answered, because of the connection or of the clearinghouse itself. */
export const isConnectionError = ({ code }: Answer): boolean =>
  code !== null && /^(http-\d+|no-reply|unreadable)$/.test(code)

/** Parses JSON; null for a text that is none. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.slice(0, 2 * maxReply)) as unknown
  } catch {
    return null
  }
}
