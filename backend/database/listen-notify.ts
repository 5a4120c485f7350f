import pg from 'pg'
import { withTimeout } from '#runtime/with-timeout.ts'

const maxReconnectDelayMs = 5_000
/** A connection that leads nowhere looks like one on which there is no news; so it is asked, so often and for so long. */
const defaultProbeIntervalMs = 10_000
const probeTimeoutMs = 3_000
const closeTimeoutMs = 500
const notifyIntervalMs = 20

/**
 * Tells whoever listens on a channel that there is news, in a transaction of its own, at most every 20 ms: in the
 * transaction of an append it would make every commit wait for the one queue that all notifications go through. Only a
 * hint, so what goes wrong with it is nobody's concern.
 */
export function createNotifier(
  pool: pg.Pool,
  channel: string,
  from: string,
): { notify(): void; close(): Promise<void> } {
  let resting: NodeJS.Timeout | undefined
  let more = false

  async function send(): Promise<void> {
    more = false
    resting = setTimeout(() => {
      resting = undefined
      if (more) void send()
    }, notifyIntervalMs)
    resting.unref()
    const notify = { name: 'es-notify', text: 'select pg_notify($1, $2)', values: [channel, from] }
    await pool.query(notify).catch(() => undefined)
  }

  return {
    notify() {
      more = true
      if (!resting) void send()
    },
    /** Says what was not yet said. */
    async close() {
      clearTimeout(resting)
      if (more) await send()
      clearTimeout(resting)
    },
  }
}

/**
 * Calls whenever PostgreSQL says that there is news on a channel, with what was said. A connection that breaks is opened
 * again, with growing pauses, and so is one that does not answer any more; whoever listens must poll as well. `onConnect` is done first on every new connection.
 * Returns how to stop.
 */
export function listenForNotifications(
  url: string,
  channel: string,
  wake: (from?: string) => void,
  { onConnect = '', every: probeIntervalMs = defaultProbeIntervalMs }: { onConnect?: string; every?: number } = {},
): () => Promise<void> {
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let pause = 100

  function again(lost: pg.Client): void {
    // A connection says twice that it is gone; the one that took its place has nothing to do with that.
    if (client !== lost) return
    client = undefined
    if (stopped || timer) return
    timer = setTimeout(() => {
      timer = undefined
      void open()
    }, pause)
    timer.unref()
    pause = Math.min(pause * 2, maxReconnectDelayMs)
  }

  async function open(): Promise<void> {
    const opening = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: maxReconnectDelayMs,
    })
    client = opening
    const gone = () => again(opening)
    opening
      .on('error', gone)
      .on('end', gone)
      .on('notification', ({ payload }) => wake(payload))
    try {
      await opening.connect()
      await opening.query(`${onConnect}; listen ${channel}`)
      pause = 100
      wake()
      lookAgain(opening, gone)
    } catch {
      await closeQuietly(opening)
      gone()
    }
  }

  function lookAgain(listening: pg.Client, gone: () => void): void {
    const next = setTimeout(async () => {
      if (stopped || client !== listening) return
      try {
        await listening.query({ text: 'select', query_timeout: probeTimeoutMs } as pg.QueryConfig)
        lookAgain(listening, gone)
      } catch {
        await closeQuietly(listening)
        gone()
      }
    }, probeIntervalMs)
    next.unref()
  }

  const first = open()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await first
    if (client) await closeQuietly(client)
  }
}

/** Where nobody answers there is nobody to say goodbye to. */
async function closeQuietly(client: pg.Client): Promise<void> {
  const ended = client.end().catch(() => undefined)
  await withTimeout(ended, closeTimeoutMs, () => undefined)
}
