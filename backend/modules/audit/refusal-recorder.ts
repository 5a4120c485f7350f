import { currentUser } from '#contracts/accounts.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { Refusal } from '#http/refusals.ts'
import type { Services } from '#modules/module.ts'
import { withTimeout } from '#runtime/with-timeout.ts'
import { refusalDecider } from './decider.ts'
import type { RefusalEvent } from './events.ts'
import { createRefusalTally, defaultTallyLimits, type RefusalCount } from './refusal-tally.ts'

/** Records refusals as events in the background. */
export type RefusalRecorder = {
  /** Counts a refusal; neither waits nor throws. */
  record(refusal: Refusal): void
  /** Writes everything that is counted, if the event store is available, and ends. */
  stop(): Promise<void>
}

type Dependencies = Pick<Services, 'bus' | 'clock' | 'newId' | 'keyedHash' | 'logger' | 'timeouts'>

const writeIntervalMs = 1_000

/**
 * Creates the recorder. The first of equal refusals is written within a second, its repetitions as one count per minute,
 * so that an attacker cannot fill the event store. While the store is unavailable, counts stay in memory, within the
 * same limits. A process that is killed leaves the refusals of its last minute in the log only.
 */
export function createRefusalRecorder(
  { bus, clock, newId, keyedHash, logger, timeouts }: Dependencies,
  limits = defaultTallyLimits,
): RefusalRecorder {
  const tally = createRefusalTally(limits)
  /** Each with the id of its stream, so that one whose reply was lost is not written twice. */
  let unwritten: (RefusalCount & { id: string })[] = []
  let writing: Promise<void> | undefined
  let isFailing = false
  const timer = setInterval(() => void write(() => tally.takeDue(performance.now())), writeIntervalMs)
  timer.unref()

  async function writeAll(take: () => RefusalCount[]): Promise<void> {
    // Nothing is taken while something is unwritten: both stay within the limits of the tally.
    if (unwritten.length === 0) unwritten = take().map((counted) => ({ ...counted, id: newId() }))
    try {
      for (let [next] = unwritten; next; [next] = unwritten) {
        const command = { type: 'Record', refusal: toEvent(next, keyedHash) } as const
        const options = { isNew: true, consistency: 'eventual' } as const
        await bus.execute(refusalDecider, next.id, command, toCommandContext(next), options)
        unwritten = unwritten.slice(1)
      }
      isFailing = false
    } catch (error) {
      if (!isFailing) logger.warn({ err: error }, 'refused requests cannot be recorded at the moment')
      isFailing = true
    }
  }

  async function write(take: () => RefusalCount[]): Promise<void> {
    if (writing) return
    writing = writeAll(take)
    await writing
    writing = undefined
  }

  return {
    record(refusal) {
      if (!isQuestion(refusal)) tally.add(refusal, clock().toISOString())
    },
    async stop() {
      clearInterval(timer)
      const written = (writing ?? Promise.resolve()).then(() => write(tally.takeAll))
      await withTimeout(written, timeouts.finalRefusalsMs, () => undefined)
    },
  }
}

/** Returns whether it is the question who is signed in, which the web app asks whenever it is opened. */
const isQuestion = ({ status, route }: Refusal) => status === 401 && route === currentUser.path

function toEvent({ refusal, scope, ...counted }: RefusalCount, keyedHash: Services['keyedHash']): RefusalEvent {
  const { count, firstAt, lastAt } = counted
  if (scope !== 'equal') return { type: 'FurtherRequestsRefused', data: { count, firstAt, lastAt } }
  const { method, route, status, code, address } = refusal
  const addressHash = keyedHash('address', address)
  return { type: 'RequestRefused', data: { method, route, status, code, addressHash, count, firstAt, lastAt } }
}

function toCommandContext({ refusal: { caller, correlationId }, scope }: RefusalCount): CommandContext {
  const practiceId = scope === 'all' ? null : (caller?.practiceId ?? null)
  if (scope !== 'equal' || caller === null)
    return { practiceId, actor: { kind: 'process', name: 'visitor' }, correlationId }
  return { practiceId, actor: { kind: 'user', userId: caller.userId, role: caller.role }, correlationId }
}
