import type { Answer } from '#contracts/values/forms.ts'
import type { AnswerChanges } from './fill-steps.ts'

/**
 * State of a draft. `failed`: the last attempt failed, and another one follows. `refused`: an answer must be changed first.
 * `stopped`: nothing is saved any more.
 */
export type DraftState = 'saved' | 'saving' | 'failed' | 'refused' | 'stopped'

/** The consequence of a failed attempt: try again, wait until the refused answers are changed, or stop. */
export type FailureVerdict = 'retry' | 'stop' | { refused: readonly string[] }

type DraftQueueOptions = {
  save: (changes: AnswerChanges, isSubmit: boolean) => Promise<void>
  judge: (error: unknown) => FailureVerdict
  onState: (state: DraftState) => void
  /** Milliseconds in which changes are collected before a request, and after which one follows another. */
  delayMs: number
  /** Milliseconds after a failed attempt. */
  retryMs: number
}

export type DraftQueue = {
  /** Saves an answer soon; null removes it. */
  set: (questionId: string, answer: Answer | null) => void
  /** Saves everything at once; resolves to whether nothing is left. */
  flush: () => Promise<boolean>
  /** Saves everything that is left and hands the answers in. Rejects when that fails; the answers are kept. */
  submit: () => Promise<void>
  isSaved: () => boolean
  /** Ends the timer. */
  dispose: () => void
}

/**
 * Creates the queue that saves the answers of a form while they are typed: one request at a time, with the changed answers
 * only. What could not be saved is kept and sent again, unless it has been changed since.
 */
export function createDraftQueue({ save, judge, onState, delayMs, retryMs }: DraftQueueOptions): DraftQueue {
  let waiting = new Map<string, Answer | null>()
  /** Refused answers: sent again only when the form is submitted, as they would be refused every time. */
  let refused = new Map<string, Answer | null>()
  let running: Promise<unknown> | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let hasFailed = false
  let isStopped = false

  const isSaved = () => waiting.size === 0 && refused.size === 0 && running === null

  function getState(): DraftState {
    if (isSaved()) return 'saved'
    if (isStopped) return 'stopped'
    if (hasFailed && waiting.size > 0) return 'failed'
    if (running !== null || waiting.size > 0) return 'saving'
    return 'refused'
  }

  function schedule(): void {
    if (timer !== undefined || running !== null || waiting.size === 0 || isStopped) return
    timer = setTimeout(
      () => {
        timer = undefined
        if (running === null) void attempt(false)
      },
      hasFailed ? retryMs : delayMs,
    )
  }

  function keep(batch: ReadonlyMap<string, Answer | null>, error: unknown): void {
    const verdict = judge(error)
    // An answer that was changed since the request replaces the one that was sent.
    const unchanged = [...batch].filter(([questionId]) => !waiting.has(questionId))
    const isRefused = (questionId: string) => typeof verdict === 'object' && verdict.refused.includes(questionId)
    const found = unchanged.filter(([questionId]) => isRefused(questionId))
    refused = new Map([...refused, ...found])
    waiting = new Map([...unchanged.filter(([questionId]) => !isRefused(questionId)), ...waiting])
    // A refusal of none of these answers would only be repeated, so the next attempt is not made at once.
    hasFailed = verdict !== 'stop' && found.length === 0
    isStopped = verdict === 'stop'
  }

  /** Sends one request; resolves to its failure. Called only while none is running. */
  async function attempt(isSubmit: boolean): Promise<{ error: unknown } | null> {
    clearTimeout(timer)
    timer = undefined
    const batch = isSubmit ? new Map([...refused, ...waiting]) : waiting
    waiting = new Map()
    if (isSubmit) refused = new Map()
    const result = save(Object.fromEntries(batch), isSubmit).then(
      () => null,
      (error: unknown) => ({ error }),
    )
    running = result
    onState(getState())
    const failure = await result
    running = null
    if (failure) keep(batch, failure.error)
    else hasFailed = false
    onState(getState())
    schedule()
    return failure
  }

  return {
    set(questionId, answer) {
      refused.delete(questionId)
      waiting.set(questionId, answer)
      onState(getState())
      schedule()
    },
    async flush() {
      let failure: { error: unknown } | null = null
      while (failure === null && (running !== null || (waiting.size > 0 && !isStopped)))
        if (running !== null) await running
        else failure = await attempt(false)
      return isSaved()
    },
    async submit() {
      // Several callers may wait: the next one looks again before it sends.
      while (running !== null) await running
      const failure = await attempt(true)
      if (failure) throw failure.error
    },
    isSaved,
    dispose() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
