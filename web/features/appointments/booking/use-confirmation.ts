import { useRef, useState } from 'react'
import { ConfirmationRequired } from '#contracts/appointments.ts'
import type { BookingConcern } from '#contracts/values/appointments.ts'
import { ApiProblem } from '#web/api/call.ts'

export type Concerns = ConfirmationRequired['concerns']

/** Returns what has to be confirmed, when the server refused for that reason. */
export function parseConcerns(error: unknown): Concerns | null {
  if (!(error instanceof ApiProblem) || error.code !== 'confirm-appointment') return null
  return ConfirmationRequired.safeParse(error.problem).data?.concerns ?? null
}

/** The concerns of one request. `allowOverlap` is that of the refused request, which is sent again. */
type Question = { key: string; concerns: Concerns; allowOverlap: boolean }

/**
 * Keeps what has to be confirmed, and what the user has confirmed, for as long as the form requests the same. `key`
 * identifies the request: patient and times.
 */
export function useConfirmation(key: string) {
  const [question, setQuestion] = useState<Question | null>(null)
  const accepted = useRef<{ key: string; concerns: readonly BookingConcern[] }>({ key, concerns: [] })
  const getConfirmed = (requestKey: string): BookingConcern[] =>
    accepted.current.key === requestKey ? [...accepted.current.concerns] : []
  return {
    question: question?.key === key ? question : null,
    /** Returns the concerns that the user has confirmed for a request. */
    getConfirmed,
    /** Confirms the concerns of the question. */
    accept: ({ key: requestKey, concerns }: Question): void => {
      const added = concerns.map(({ concern }) => concern)
      accepted.current = { key: requestKey, concerns: [...getConfirmed(requestKey), ...added] }
    },
    /** Records an error as the newest question; returns false when the server did not ask. */
    recordQuestion: (error: unknown, requestKey: string, allowOverlap: boolean): boolean => {
      const concerns = parseConcerns(error)
      setQuestion(concerns && { key: requestKey, concerns, allowOverlap })
      return concerns !== null
    },
  }
}
