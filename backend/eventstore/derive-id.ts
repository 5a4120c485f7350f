import { parse as parseUuid, v5 as uuidv5 } from 'uuid'

/** Namespace of event ids that are derived from names (RFC 9562, version 5). */
const namespace = parseUuid('5b0a4b52-0c37-4b8e-9d0c-9f0f6f1a4c11')

/** Returns the id that belongs to a name: always the same id for the same name. */
export const deriveId = (name: string): string => uuidv5(Buffer.from(name), namespace)

/** Returns the id of an event of a command with this idempotency key, by its place in what the command writes to a stream. */
export const deriveEventId = (idempotencyKey: string, stream: string, index: number) =>
  deriveId(`${idempotencyKey}:${stream}:${index}`)
