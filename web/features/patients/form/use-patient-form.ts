import { useRef, useState } from 'react'
import { type DefaultValues, type FieldPath, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { showFieldErrors } from '#web/forms/form-errors.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { patientResolver, type SubmitContext } from './form-resolver.ts'
import { toFormPath, type PatientValues } from './form-values.ts'

type PatientForm = {
  start: PatientValues
  schema: z.ZodType
  /** What would be sent, for the check before it is. */
  bodyOf: (values: PatientValues) => unknown
  /** Title of the toast when it did not work. */
  failed: string
}

/** The state of a form about a patient, and how a failure is shown: beside the fields it names, and as a toast. */
export function usePatientForm({ start, schema, bodyOf, failed }: PatientForm) {
  const notify = useNotify()
  const form = useForm<PatientValues, SubmitContext>({
    defaultValues: start as DefaultValues<PatientValues>,
    resolver: patientResolver(schema),
    context: { toBody: bodyOf },
  })
  const busy = useRef(false)
  const [signedOut, setSignedOut] = useState(false)

  /** Runs one attempt at a time, however often Enter is pressed. */
  async function once(run: () => Promise<void>): Promise<void> {
    if (busy.current) return
    busy.current = true
    try {
      await run()
    } finally {
      busy.current = false
    }
  }

  function showFailure(error: unknown): void {
    setSignedOut(error instanceof ApiProblem && error.status === 401)
    showFieldErrors<PatientValues>((path, message, options) => {
      const field = toFormPath(path, form.getValues()) as FieldPath<PatientValues>
      form.setError(field, message, options)
    })(error)
    notify({ title: failed, body: errorMessage(error), intent: 'error' })
  }

  return { ...form, once, showFailure, signedOut }
}
