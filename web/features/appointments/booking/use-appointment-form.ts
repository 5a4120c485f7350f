import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { showFieldErrors } from '#web/forms/form-errors.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { formatTime } from '../local-time.ts'
import { formatMediumDate } from '../calendar-dates.ts'
import { toFormPath, type SubmitContext, appointmentResolver, type AppointmentValues } from './appointment-form.ts'

/** A time that the clocks skip, with the next one there is. */
function describeSkippedTime(error: ApiProblem): string | null {
  const next = error.problem['nextValid']
  const [, date, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(String(next ?? '')) ?? []
  return date && time
    ? `The clocks skip this time on ${formatMediumDate(date)}. The next one is ${formatTime(time)}.`
    : null
}

type AppointmentForm = SubmitContext & {
  start: AppointmentValues
  /** Title of the toast when it did not work. */
  failed: string
}

/** The state of a form about an appointment, and how a failure is shown: beside the fields it names, and as a toast. */
export function useAppointmentForm({ start, schema, toBody: bodyOf, failed }: AppointmentForm) {
  const notify = useNotify()
  const form = useForm<AppointmentValues, SubmitContext>({
    defaultValues: start,
    resolver: appointmentResolver,
    context: { schema, toBody: bodyOf },
  })
  const [signedOut, setSignedOut] = useState(false)

  function showFailure(error: unknown): void {
    setSignedOut(error instanceof ApiProblem && error.status === 401)
    const skipped = error instanceof ApiProblem ? describeSkippedTime(error) : null
    if (skipped) form.setError('time', { type: 'server', message: skipped }, { shouldFocus: true })
    else
      showFieldErrors<AppointmentValues>((path, message, options) => form.setError(toFormPath(path), message, options))(
        error,
      )
    notify({ title: failed, body: skipped ?? errorMessage(error), intent: 'error' })
  }

  return { ...form, showFailure, signedOut }
}
