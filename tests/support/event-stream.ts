import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from './client.ts'

/** A stream of server-sent events, as received by a browser. */
export type EventStreamReader = {
  status: number
  headers: Headers
  /** Returns the data of all received messages with this name. */
  messages(name: string): unknown[]
  /** Returns the id of the last message that has one; undefined when none has. */
  lastId(): string | undefined
  /** Waits until a condition holds for the received messages, or until the stream has ended. */
  waitUntil(condition: () => boolean): Promise<void>
  isEnded(): boolean
  close(): void
}

/** Opens a stream with a client. Resolves when its first message or the refusal has arrived. */
export async function openEventStream(client: Client, path: string): Promise<EventStreamReader> {
  const cut = new AbortController()
  const cookie = client.cookie()
  const headers = { accept: 'text/event-stream', ...(cookie ? { cookie } : {}) }
  const response = await fetch(client.url + path, { headers, signal: cut.signal })
  let text = ''
  let over = false
  const read = async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString()
  }
  void read()
    .catch(() => undefined)
    .finally(() => (over = true))
  const listening: EventStreamReader = {
    status: response.status,
    headers: response.headers,
    messages: (name) =>
      text
        .split('\n\n')
        .filter((block) => block.split('\n').includes(`event: ${name}`))
        .map((block) => JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? 'null') as unknown),
    lastId: () => [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1],
    async waitUntil(condition) {
      while (!condition() && !over) await sleep(5)
    },
    isEnded: () => over,
    close: () => cut.abort(),
  }
  await listening.waitUntil(() => listening.messages('open').length > 0)
  return listening
}
