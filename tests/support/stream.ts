import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from './client.ts'

/** Server-sent events as a browser receives them. */
export type EventStreamReader = {
  status: number
  headers: Headers
  /** The data of every message of a name that has come so far. */
  messages(name: string): unknown[]
  /** Waits until a condition holds for what has come, or until the stream has ended. */
  waitUntil(condition: () => boolean): Promise<void>
  isEnded(): boolean
  close(): void
}

/** Opens a stream in somebody's browser, and resolves when its first message is there, or the refusal. */
export async function openEventStream(client: Client, path: string): Promise<EventStreamReader> {
  const cut = new AbortController()
  const cookie = client.cookie()
  const response = await fetch(client.url + path, { headers: cookie ? { cookie } : {}, signal: cut.signal })
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
    async waitUntil(condition) {
      while (!condition() && !over) await sleep(5)
    },
    isEnded: () => over,
    close: () => cut.abort(),
  }
  await listening.waitUntil(() => listening.messages('open').length > 0)
  return listening
}
