/**
 * Time after the last attempt for which the same content counts as its repetition. Long enough to retry after a break of the
 * network. After it, a user who enters the same again wants it once more: the server would only replay the first reply.
 */
const maxRetryMs = 10 * 60_000

type OpenKey = { key: string; usedAt: number }

/** Keys of writes without a conclusive reply, by their content: the same content is the same intent of the user. */
const openKeys = new Map<string, OpenKey>()
/** Writes in flight, by their content. */
const inFlight = new Map<string, Promise<unknown>>()

/** Returns a random key. `crypto.randomUUID` exists on https and on localhost only. */
const createKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Removes the keys that no attempt can use any more, because their contents are bodies of requests, which may hold PHI. */
function removeExpiredKeys(now: number): void {
  for (const [content, { usedAt }] of openKeys) if (now - usedAt >= maxRetryMs) openKeys.delete(content)
}

/** Forgets the writes of a user who signs out or whom another one replaces, with the bodies that they have sent. */
export function forgetIntents(): void {
  openKeys.clear()
  inFlight.clear()
}

/**
 * Runs a write with the idempotency key of the user's intent. A double click shares one request; Retry after a failure sends
 * the same key, so that nothing is saved twice. The same content after a success, a refusal or ten minutes is
 * a new intent, as is other content.
 */
export async function withIntent<Reply>(
  content: string,
  isRefusal: (error: unknown) => boolean,
  write: (key: string) => Promise<Reply>,
): Promise<Reply> {
  const running = inFlight.get(content)
  if (running) return (await running) as Reply
  const now = Date.now()
  removeExpiredKeys(now)
  const key = openKeys.get(content)?.key ?? createKey()
  openKeys.set(content, { key, usedAt: now })
  /** Leaves the key of a later user, who may send the same. */
  const close = () => {
    if (openKeys.get(content)?.key === key) openKeys.delete(content)
  }
  const writing = write(key)
  inFlight.set(content, writing)
  try {
    const reply = await writing
    close()
    return reply
  } catch (error) {
    if (isRefusal(error)) close()
    throw error
  } finally {
    if (inFlight.get(content) === writing) inFlight.delete(content)
  }
}
