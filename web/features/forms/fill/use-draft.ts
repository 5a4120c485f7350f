import { useEffect, useRef, useState } from 'react'
import type { FormTemplate, Question } from '#contracts/forms.ts'
import type { Answer, Answers } from '#contracts/values/forms.ts'
import { ApiProblem } from '#web/api/call.ts'
import { createDraftQueue, type DraftState, type FailureVerdict } from './draft-queue.ts'
import {
  type AnswerChanges,
  diffAnswers,
  findSubmitErrors,
  findTypingErrors,
  toAnswerErrors,
  toSavedAnswers,
} from './fill-steps.ts'

const delayMs = 1_000
const retryMs = 5_000

/** Returns whether another attempt would fail too: the form or its link is closed or gone, or the role does not include it. */
const isFinal = ({ status, code }: ApiProblem) =>
  status === 404 || status === 410 || code === 'form-closed' || (status === 403 && code !== 'identify-again')

function judge(error: unknown): FailureVerdict {
  if (!(error instanceof ApiProblem)) return 'retry'
  if (isFinal(error)) return 'stop'
  const refused = error.status === 422 ? [...toAnswerErrors(error.problem.errors).keys()] : []
  return refused.length > 0 ? { refused } : 'retry'
}

const noErrors: ReadonlyMap<string, string> = new Map()

type DraftOptions = {
  /** The answers to begin with. */
  answers: Answers
  template: FormTemplate
  /** Saves changed answers, and hands all of them in. The function of the first rendering is used. */
  save: (changes: AnswerChanges, isSubmit: boolean) => Promise<void>
}

/** State of the answers while they are typed. They are saved on the way; what could not be saved is kept and tried again. */
export function useDraft({ answers, template, save }: DraftOptions) {
  const [typed, setTyped] = useState<Answers>(answers)
  const latest = useRef(typed)
  const [state, setState] = useState<DraftState>('saved')
  const [errors, setErrors] = useState(noErrors)
  const [failure, setFailure] = useState<ApiProblem | null>(null)
  const [isSubmitting, setIsSubmitting] = useState(false)

  const [queue] = useState(() =>
    createDraftQueue({
      async save(formData, isSubmit) {
        try {
          await save(formData, isSubmit)
          setFailure(null)
        } catch (error) {
          setFailure(error instanceof ApiProblem ? error : null)
          if (error instanceof ApiProblem && error.status === 422)
            setErrors((shown) => new Map([...shown, ...toAnswerErrors(error.problem.errors)]))
          throw error
        }
      },
      judge,
      onState: setState,
      delayMs,
      retryMs,
    }),
  )
  useEffect(() => {
    // The network is back, or the user has signed in again in another tab.
    const retry = () => void queue.flush()
    addEventListener('online', retry)
    addEventListener('focus', retry)
    return () => {
      removeEventListener('online', retry)
      removeEventListener('focus', retry)
      queue.dispose()
    }
  }, [queue])

  function setError(questionId: string, message: string | undefined): void {
    setErrors((shown) => {
      const next = new Map(shown)
      if (message === undefined) next.delete(questionId)
      else next.set(questionId, message)
      return next
    })
  }

  /** Notes an answer; undefined removes it. */
  function answer({ id }: Question, value: Answer | undefined): void {
    const before = latest.current
    const { [id]: _, ...rest } = before
    const after = value === undefined ? rest : { ...before, [id]: value }
    latest.current = after
    setTyped(after)
    setError(id, undefined)
    const changes = diffAnswers(toSavedAnswers(template, before), toSavedAnswers(template, after))
    for (const [questionId, changed] of Object.entries(changes)) queue.set(questionId, changed)
  }

  /** Shows what is wrong with a typed answer, such as a date that does not exist. */
  function check({ id }: Question): void {
    const message = findTypingErrors(template, latest.current).get(id)
    // Without a message, an error of the server stays.
    if (message !== undefined) setError(id, message)
  }

  /** Hands the answers in; resolves to the question at fault, or to null when nothing is. Rejects when it fails otherwise. */
  async function submit(): Promise<string | null> {
    const found = findSubmitErrors(template, latest.current)
    setErrors(found)
    const [first] = found.keys()
    if (first !== undefined) return first
    setIsSubmitting(true)
    try {
      await queue.submit()
      return null
    } catch (error) {
      const [refused] = error instanceof ApiProblem ? toAnswerErrors(error.problem.errors).keys() : []
      if (refused === undefined) throw error
      return refused
    } finally {
      setIsSubmitting(false)
    }
  }

  return { typed, state, errors, failure, isSubmitting, answer, check, submit, queue }
}
