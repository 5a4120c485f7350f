import pg from 'pg'

const longestPause = 5_000

/**
 * Calls whenever PostgreSQL says that there is news on a channel. A connection that breaks is opened again, with growing
 * pauses; whoever listens must poll as well. `onConnect` is done first on every new connection. Returns how to stop.
 */
export function listen(
  url: string,
  channel: string,
  wake: () => void,
  { onConnect = '' }: { onConnect?: string } = {},
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
    pause = Math.min(pause * 2, longestPause)
  }

  async function open(): Promise<void> {
    const opening = new pg.Client({ connectionString: url, keepAlive: true })
    client = opening
    const gone = () => again(opening)
    opening.on('error', gone).on('end', gone).on('notification', wake)
    try {
      await opening.connect()
      await opening.query(`${onConnect}; listen ${channel}`)
      pause = 100
      wake()
    } catch {
      await opening.end().catch(() => undefined)
      gone()
    }
  }

  const first = open()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await first
    await client?.end().catch(() => undefined)
  }
}
