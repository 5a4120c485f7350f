/** Keys of writes without a conclusive reply, by their content: the same content is the same intent of the user. */
const openKeys = new Map<string, string>()
/** Writes in flight, by their content. */
const inFlight = new Map<string, Promise<unknown>>()

/** Returns a random key. `crypto.randomUUID` exists on https and on localhost only. */
const createKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Runs a write with the idempotency key of the user's intent. A double click shares one request; Retry after a failure sends
 * the same key, so that nothing is saved twice. The same content after a success or a refusal is a new intent, as is other
 * content.
 */
export async function withIntent<Reply>(
  content: string,
  isRefusal: (error: unknown) => boolean,
  write: (key: string) => Promise<Reply>,
): Promise<Reply> {
  const running = inFlight.get(content)
  if (running) return (await running) as Reply
  const key = openKeys.get(content) ?? createKey()
  openKeys.set(content, key)
  const writing = write(key)
  inFlight.set(content, writing)
  try {
    const reply = await writing
    openKeys.delete(content)
    return reply
  } catch (error) {
    if (isRefusal(error)) openKeys.delete(content)
    throw error
  } finally {
    inFlight.delete(content)
  }
}
