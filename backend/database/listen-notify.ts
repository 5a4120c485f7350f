import pg from 'pg'
import { withTimeout } from '#runtime/with-timeout.ts'

const initialReconnectDelayMs = 100
const maxReconnectDelayMs = 5_000
/** A dead connection looks like one without notifications, so it is probed at this interval. */
const defaultProbeIntervalMs = 10_000
const probeTimeoutMs = 3_000
const closeTimeoutMs = 500
const notifyIntervalMs = 20

/**
 * Creates a notifier for a channel. It notifies in a separate transaction, at most every 20 ms: within the transaction of
 * an append it would make every commit wait for PostgreSQL's single notification queue. Notifications are hints, so errors
 * are ignored.
 */
export function createNotifier(
  pool: pg.Pool,
  channel: string,
  sender: string,
): { notify(): void; close(): Promise<void> } {
  let cooldown: NodeJS.Timeout | undefined
  let isPending = false

  async function send(): Promise<void> {
    isPending = false
    cooldown = setTimeout(() => {
      cooldown = undefined
      if (isPending) void send()
    }, notifyIntervalMs)
    cooldown.unref()
    const notify = { name: 'es-notify', text: 'select pg_notify($1, $2)', values: [channel, sender] }
    await pool.query(notify).catch(() => undefined)
  }

  return {
    notify() {
      isPending = true
      if (!cooldown) void send()
    },
    /** Sends a pending notification. */
    async close() {
      clearTimeout(cooldown)
      if (isPending) await send()
      clearTimeout(cooldown)
    },
  }
}

type ListenOptions = {
  /** SQL that runs first on every new connection. */
  onConnect?: string
  probeIntervalMs?: number
}

/**
 * Calls `onNotify` with the payload of every notification on a channel, and without one after every (re)connection. A
 * connection that breaks or no longer replies is replaced, with exponential back-off; callers must poll as well. Returns a
 * function that stops listening.
 */
export function listenForNotifications(
  url: string,
  channel: string,
  onNotify: (payload?: string) => void,
  { onConnect = '', probeIntervalMs = defaultProbeIntervalMs }: ListenOptions = {},
): () => Promise<void> {
  let current: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let reconnectDelayMs = initialReconnectDelayMs

  function reconnect(lost: pg.Client): void {
    // A connection emits its end twice, by then another one may have replaced it.
    if (current !== lost) return
    current = undefined
    if (stopped || timer) return
    timer = setTimeout(() => {
      timer = undefined
      void open()
    }, reconnectDelayMs)
    timer.unref()
    reconnectDelayMs = Math.min(reconnectDelayMs * 2, maxReconnectDelayMs)
  }

  async function open(): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: maxReconnectDelayMs,
    })
    current = client
    client
      .on('error', () => reconnect(client))
      .on('end', () => reconnect(client))
      .on('notification', ({ payload }) => onNotify(payload))
    try {
      await client.connect()
      await client.query(`${onConnect}; listen ${channel}`)
      reconnectDelayMs = initialReconnectDelayMs
      onNotify()
      scheduleProbe(client)
    } catch {
      await closeQuietly(client)
      reconnect(client)
    }
  }

  function scheduleProbe(client: pg.Client): void {
    const probe = setTimeout(async () => {
      if (stopped || current !== client) return
      try {
        await client.query({ text: 'select', query_timeout: probeTimeoutMs } as pg.QueryConfig)
        scheduleProbe(client)
      } catch {
        await closeQuietly(client)
        reconnect(client)
      }
    }, probeIntervalMs)
    probe.unref()
  }

  const opened = open()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await opened
    if (current) await closeQuietly(current)
  }
}

/** Closes a connection; a server that does not reply is not waited for. */
async function closeQuietly(client: pg.Client): Promise<void> {
  const ended = client.end().catch(() => undefined)
  await withTimeout(ended, closeTimeoutMs, () => undefined)
}
