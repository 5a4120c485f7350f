/** Bodies of shared replies, by endpoint and role. */
const bodies = new WeakMap<object, Map<string, Buffer>>()

/**
 * Marks a reply of which a handler may return the same object again: it is validated and written once for each endpoint and
 * role. It must not be modified.
 */
export function shareReply<Reply extends object>(reply: Reply): Reply {
  if (!bodies.has(reply)) bodies.set(reply, new Map())
  return reply
}

/** Returns the body of a shared reply, which `write` returns the first time for a name; undefined for any other reply. */
export function writeShared(reply: unknown, name: string, write: () => string): Buffer | undefined {
  const written = bodies.get(reply as object)
  if (!written) return undefined
  const body = written.get(name) ?? Buffer.from(write())
  written.set(name, body)
  return body
}
