import pg from 'pg'

/** The points at which an instance can be crashed, in order. */
export const crashPoints = [
  'before the job is enqueued',
  'after the job is enqueued',
  'before the checkpoint is committed',
  'after the checkpoint is committed',
  'before the effect',
  'after the effect',
  'before the event is appended',
  'after the event is appended',
  'before the job is completed',
  'after the job is completed',
] as const
export type CrashPoint = (typeof crashPoints)[number]

/** Kills this process with `kill -9` and blocks until the signal arrives. */
function killSelf(): never {
  process.kill(process.pid, 'SIGKILL')
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
}

const reactingClients = new WeakSet<object>()

/** Returns the step that a statement performs, derived from its text alone. */
function classifyStatement(client: object, text: string, values: string): string | undefined {
  if (/insert into jobs\.job/i.test(text) && values.includes('orderId')) return 'the job is enqueued'
  if (/update read\.checkpoints\s+set position/.test(text) && values.includes('"payments"')) reactingClients.add(client)
  if (text === 'commit' && reactingClients.has(client)) return 'the checkpoint is committed'
  if (/es\.append_group\(/.test(text) && values.includes('OrderPaid')) return 'the event is appended'
  // Its supervision also updates jobs of this queue that are not `completed`, as early as during the start.
  if (
    /update jobs\.job\S* j\s+set completed_on = [^,]+,\s+state = 'completed'/i.test(text) &&
    values.includes('pay-order')
  )
    return 'the job is completed'
  return undefined
}

/** Returns the values of a statement as text; arrays are sent as bytes, in which the texts are readable. */
const serializeValues = (values: readonly unknown[]) =>
  JSON.stringify(
    values.map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : value)),
    (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
  )

/** Crashes this process the first time it reaches a point, by wrapping the PostgreSQL client and `fetch`. */
export function crashAt(point: string): void {
  const isAt = (step: string | undefined, order: 'before' | 'after') =>
    step !== undefined && `${order} ${step}` === point
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  pg.Client.prototype.query = function (this: object, ...args: unknown[]): unknown {
    const [first, second] = args
    const statement = (typeof first === 'string' ? { text: first } : first) as {
      text?: string
      values?: readonly unknown[]
    }
    const values = serializeValues(statement.values ?? (Array.isArray(second) ? (second as unknown[]) : []))
    const step = classifyStatement(this, statement.text ?? '', values)
    if (isAt(step, 'before')) killSelf()
    if (!isAt(step, 'after')) return query.apply(this, args)
    const callback = args.at(-1)
    if (typeof callback === 'function') return query.apply(this, [...args.slice(0, -1), () => killSelf()])
    return (query.apply(this, args) as Promise<unknown>).then(killSelf)
  } as never

  const { fetch } = globalThis
  globalThis.fetch = async (...args) => {
    if (isAt('the effect', 'before')) killSelf()
    const response = await fetch(...args)
    if (isAt('the effect', 'after')) killSelf()
    return response
  }
}
