import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiProblem, wordsOf } from '#web/app/call.ts'
import { showProblem } from '#web/app/form-errors.ts'
import { useNotify } from '#web/app/toasts.tsx'
import { clock } from './clock.ts'
import { plainDay } from './days.ts'
import { formPathOf, type Sending, visitResolver, type VisitValues } from './visit-form.ts'

/** A time that the clocks skip, with the next one there is. */
function skippedWords(error: ApiProblem): string | null {
  const next = error.problem['nextValid']
  const [, date, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(String(next ?? '')) ?? []
  return date && time ? `The clocks skip this time on ${plainDay(date)}. The next one is ${clock(time)}.` : null
}

type VisitForm = Sending & {
  start: VisitValues
  /** Title of the toast when it did not work. */
  failed: string
}

/** The state of a form about a visit, and how a failure is shown: beside the fields it names, and as a toast. */
export function useVisitForm({ start, schema, bodyOf, failed }: VisitForm) {
  const notify = useNotify()
  const form = useForm<VisitValues, Sending>({
    defaultValues: start,
    resolver: visitResolver,
    context: { schema, bodyOf },
  })
  const [signedOut, setSignedOut] = useState(false)

  function showFailure(error: unknown): void {
    setSignedOut(error instanceof ApiProblem && error.status === 401)
    const skipped = error instanceof ApiProblem ? skippedWords(error) : null
    if (skipped) form.setError('time', { type: 'server', message: skipped }, { shouldFocus: true })
    else showProblem<VisitValues>((path, message, options) => form.setError(formPathOf(path), message, options))(error)
    notify({ title: failed, body: skipped ?? wordsOf(error), intent: 'error' })
  }

  return { ...form, showFailure, signedOut }
}
