import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Answer } from '#contracts/values/forms.ts'
import { createDraftQueue, type FailureVerdict } from '#web/features/forms/fill/draft-queue.ts'
import type { AnswerChanges } from '#web/features/forms/fill/fill-steps.ts'

/** A failed attempt, with what the queue is to make of it. */
class Failure extends Error {
  readonly verdict: FailureVerdict
  constructor(verdict: FailureVerdict) {
    super('failed')
    this.verdict = verdict
  }
}

/** A queue over a server whose replies the test gives. */
function startQueue() {
  const requests: { changes: AnswerChanges; isSubmit: boolean; reply: (failure?: FailureVerdict) => Promise<void> }[] =
    []
  const stored: Record<string, Answer> = {}
  const states: string[] = []
  let inFlight = 0
  let maxInFlight = 0
  const queue = createDraftQueue({
    save: (changes, isSubmit) =>
      new Promise<void>((resolve, reject) => {
        inFlight++
        maxInFlight = Math.max(maxInFlight, inFlight)
        const reply = async (failure?: FailureVerdict) => {
          inFlight--
          if (failure) reject(new Failure(failure))
          else {
            for (const [id, answer] of Object.entries(changes))
              if (answer === null) delete stored[id]
              else stored[id] = answer
            resolve()
          }
          await vi.advanceTimersByTimeAsync(0)
        }
        requests.push({ changes, isSubmit, reply })
      }),
    judge: (error) => (error as Failure).verdict,
    onState: (state) => states.push(state),
    delayMs: 1_000,
    retryMs: 5_000,
  })
  const getRequest = (index: number) => {
    const request = requests[index]
    if (!request) throw new Error(`There is no request ${index}`)
    return request
  }
  return { queue, requests, getRequest, stored, states, maxInFlight: () => maxInFlight }
}

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the queue of a draft', () => {
  it('collects the answers of a second, and sends the changed ones only', async () => {
    const { queue, requests, getRequest, states } = startQueue()
    queue.set('reason', 'C')
    await pass(600)
    queue.set('reason', 'Cough')
    queue.set('smokes', false)
    await pass(399)
    expect(requests).toEqual([])
    await pass(1)
    expect(requests.map(({ changes }) => changes)).toEqual([{ reason: 'Cough', smokes: false }])
    await getRequest(0).reply()
    expect(states.at(-1)).toBe('saved')
    queue.set('smokes', null)
    await pass(1_000)
    expect(getRequest(1).changes).toEqual({ smokes: null })
  })

  it('sends the next request after the reply to the one before', async () => {
    const { queue, requests, getRequest } = startQueue()
    queue.set('reason', 'Cough')
    await pass(1_000)
    queue.set('reason', 'Cough, fever')
    await pass(60_000)
    expect(requests.length).toBe(1)
    await getRequest(0).reply()
    await pass(1_000)
    expect(getRequest(1).changes).toEqual({ reason: 'Cough, fever' })
  })

  it('keeps what could not be saved, and tries again with the newest answers', async () => {
    const { queue, requests, getRequest, states } = startQueue()
    queue.set('reason', 'Cough')
    queue.set('smokes', true)
    await pass(1_000)
    queue.set('smokes', false)
    await getRequest(0).reply('retry')
    expect(states.at(-1)).toBe('failed')
    await pass(4_999)
    expect(requests.length).toBe(1)
    await pass(1)
    expect(getRequest(1).changes).toEqual({ reason: 'Cough', smokes: false })
    await getRequest(1).reply()
    expect([states.at(-1), queue.isSaved()]).toEqual(['saved', true])
  })

  it('tries again at once when asked to, and says what is left', async () => {
    const { queue, getRequest } = startQueue()
    queue.set('reason', 'Cough')
    await pass(1_000)
    await getRequest(0).reply('retry')
    const flushed = queue.flush()
    await getRequest(1).reply('retry')
    expect(await flushed).toBe(false)
    const again = queue.flush()
    await getRequest(2).reply()
    expect(await again).toBe(true)
    expect(await queue.flush()).toBe(true)
  })

  it('does not repeat a refused answer until it is changed, and saves the others', async () => {
    const { queue, requests, getRequest, states } = startQueue()
    queue.set('cigarettes', 300)
    queue.set('reason', 'Cough')
    await pass(1_000)
    await getRequest(0).reply({ refused: ['cigarettes'] })
    await pass(1_000)
    expect(getRequest(1).changes).toEqual({ reason: 'Cough' })
    await getRequest(1).reply()
    await pass(60_000)
    expect([requests.length, states.at(-1), queue.isSaved()]).toEqual([2, 'refused', false])
    queue.set('cigarettes', 30)
    await pass(1_000)
    await getRequest(2).reply()
    expect([getRequest(2).changes, states.at(-1)]).toEqual([{ cigarettes: 30 }, 'saved'])
  })

  it('waits before it repeats what is refused for another reason', async () => {
    const { queue, requests, getRequest } = startQueue()
    queue.set('reason', 'Cough')
    await pass(1_000)
    await getRequest(0).reply({ refused: ['an older answer'] })
    await pass(4_999)
    expect(requests.length).toBe(1)
    await pass(1)
    expect(requests.length).toBe(2)
  })

  it('stops when nothing can be saved any more', async () => {
    const { queue, requests, getRequest, states } = startQueue()
    queue.set('reason', 'Cough')
    await pass(1_000)
    await getRequest(0).reply('stop')
    queue.set('reason', 'Fever')
    await pass(60_000)
    expect([requests.length, states.at(-1), await queue.flush()]).toEqual([1, 'stopped', false])
  })

  it('submits what is left after the running request', async () => {
    const { queue, requests, getRequest } = startQueue()
    queue.set('reason', 'Cough')
    await pass(1_000)
    queue.set('signature', 'Ada Lovelace')
    const submitted = queue.submit()
    expect(requests.length).toBe(1)
    await getRequest(0).reply()
    expect(getRequest(1)).toMatchObject({ changes: { signature: 'Ada Lovelace' }, isSubmit: true })
    await getRequest(1).reply()
    await submitted
    expect(queue.isSaved()).toBe(true)
  })

  it('keeps the answers of a submission that failed', async () => {
    const { queue, getRequest, stored } = startQueue()
    queue.set('signature', 'Ada Lovelace')
    const submitted = queue.submit().catch((error: unknown) => error)
    await getRequest(0).reply('retry')
    expect(await submitted).toBeInstanceOf(Failure)
    await pass(5_000)
    expect(getRequest(1)).toMatchObject({ changes: { signature: 'Ada Lovelace' }, isSubmit: false })
    await getRequest(1).reply()
    expect(stored).toEqual({ signature: 'Ada Lovelace' })
  })
})

type Step =
  | { do: 'set'; id: string; answer: Answer | null }
  | { do: 'pass'; milliseconds: number }
  | { do: 'reply'; failure: FailureVerdict | undefined }
  | { do: 'flush' | 'submit' }

const ids = ['a', 'b', 'c']
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('set' as const),
    id: fc.constantFrom(...ids),
    answer: fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constant(null)),
  }),
  fc.record({ do: fc.constant('pass' as const), milliseconds: fc.integer({ min: 0, max: 6_000 }) }),
  fc.record({
    do: fc.constant('reply' as const),
    failure: fc.constantFrom<FailureVerdict | undefined>(undefined, 'retry', { refused: ['b'] }),
  }),
  fc.record({ do: fc.constantFrom('flush' as const, 'submit' as const) }),
)

it('sends one request at a time and loses no answer, whatever fails', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { queue, requests, stored, maxInFlight } = startQueue()
      const typed: Record<string, Answer> = {}
      let replied = 0
      const reply = async (failure?: FailureVerdict) => {
        if (replied < requests.length) await requests[replied++]?.reply(failure)
      }
      for (const next of steps) {
        if (next.do === 'set') {
          queue.set(next.id, next.answer)
          if (next.answer === null) delete typed[next.id]
          else typed[next.id] = next.answer
        } else if (next.do === 'pass') await pass(next.milliseconds)
        else if (next.do === 'reply') await reply(next.failure)
        else if (next.do === 'flush') void queue.flush()
        else queue.submit().catch(() => undefined)
        await pass(0)
      }
      // The network is back: a submission sends also what was refused before.
      let isSubmitted = false
      void queue.submit().then(
        () => (isSubmitted = true),
        () => undefined,
      )
      for (let round = 0; round < 100 && (!isSubmitted || !queue.isSaved()); round++) {
        await pass(0)
        await reply()
      }
      expect([isSubmitted, queue.isSaved(), maxInFlight() <= 1]).toEqual([true, true, true])
      expect(stored).toEqual(typed)
      queue.dispose()
    }),
  )
})
