import pg from 'pg'

/** The moments at which a copy of the application can be made to die, in their order. */
export const crashPoints = [
  'before the job is put down',
  'after the job is put down',
  'before the checkpoint is committed',
  'after the checkpoint is committed',
  'before the effect',
  'after the effect',
  'before the fact is appended',
  'after the fact is appended',
  'before the job is completed',
  'after the job is completed',
] as const
export type CrashPoint = (typeof crashPoints)[number]

/** As `kill -9`, and nothing runs any more before it arrives. */
function killSelf(): never {
  process.kill(process.pid, 'SIGKILL')
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
}

const reactingClients = new WeakSet<object>()

/** What a statement does, seen from outside: the product knows nothing of it. */
function classifyStatement(client: object, text: string, values: string): string | undefined {
  if (/insert into jobs\.job/i.test(text) && values.includes('orderId')) return 'the job is put down'
  if (/update read\.checkpoints\s+set position/.test(text) && values.includes('"payments"')) reactingClients.add(client)
  if (text === 'commit' && reactingClients.has(client)) return 'the checkpoint is committed'
  if (/es\.append_group\(/.test(text) && values.includes('OrderPaid')) return 'the fact is appended'
  if (/update jobs\.job/i.test(text) && /completed/.test(text) && values.includes('pay-order'))
    return 'the job is completed'
  return undefined
}

const serializeValues = (values: unknown) =>
  JSON.stringify(values, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

/** Makes this process die at its first moment of that kind, by wrapping what it speaks with: PostgreSQL and HTTP. */
export function crashAt(moment: string): void {
  const at = (deed: string | undefined, when: 'before' | 'after') => deed !== undefined && `${when} ${deed}` === moment
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  pg.Client.prototype.query = function (this: object, ...args: unknown[]): unknown {
    const [first, second] = args
    const asked = (typeof first === 'string' ? { text: first } : first) as { text?: string; values?: unknown }
    const values = serializeValues(asked.values ?? (Array.isArray(second) ? second : []))
    const deed = classifyStatement(this, asked.text ?? '', values)
    if (at(deed, 'before')) killSelf()
    if (!at(deed, 'after')) return query.apply(this, args)
    const callback = args.at(-1)
    if (typeof callback === 'function') return query.apply(this, [...args.slice(0, -1), () => killSelf()])
    return (query.apply(this, args) as Promise<unknown>).then(killSelf)
  } as never

  const { fetch } = globalThis
  globalThis.fetch = async (...args) => {
    if (at('the effect', 'before')) killSelf()
    const answer = await fetch(...args)
    if (at('the effect', 'after')) killSelf()
    return answer
  }
}
