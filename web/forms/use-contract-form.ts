import { type BaseSyntheticEvent, useRef, useState } from 'react'
import { type DefaultValues, type FieldPath, type FieldValues, useForm, type UseFormReturn } from 'react-hook-form'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { type ContractCheck, createContractResolver } from './contract-resolver.ts'
import { showFieldErrors } from './form-errors.ts'

export type ContractFormOptions<Values extends FieldValues> = ContractCheck<Values> & {
  start: Values
  /** Title of the toast when saving fails. */
  failed: string
  /** Returns a more helpful message than the server's, with the input it belongs to; null where there is none. */
  explain?: (error: unknown) => { input: FieldPath<Values>; message: string } | null
}

export type SubmitHandler = (event?: BaseSyntheticEvent) => Promise<void>

export type ContractForm<Values extends FieldValues> = UseFormReturn<Values> & {
  /** Returns a submit handler that starts no attempt while another one runs, however often Enter is pressed. */
  submitOnce: (send: (values: Values) => Promise<void>) => SubmitHandler
  showFailure: (error: unknown) => void
  /** The last attempt was refused because the session had ended. */
  signedOut: boolean
  clearSignedOut: () => void
}

/** State of a form that sends what a contract describes. A failure is shown at the inputs it names, and as a toast. */
export function useContractForm<Values extends FieldValues>({
  start,
  failed,
  explain,
  ...check
}: ContractFormOptions<Values>): ContractForm<Values> {
  const notify = useNotify()
  const form = useForm<Values>({
    defaultValues: start as DefaultValues<Values>,
    resolver: createContractResolver(check),
  })
  const [signedOut, setSignedOut] = useState(false)
  const isRunning = useRef(false)

  const submitOnce: ContractForm<Values>['submitOnce'] = (send) =>
    form.handleSubmit(async (values) => {
      if (isRunning.current) return
      isRunning.current = true
      await send(values as Values).finally(() => (isRunning.current = false))
    })

  function showFailure(error: unknown): void {
    setSignedOut(error instanceof ApiProblem && error.status === 401)
    const explained = explain?.(error)
    if (explained) form.setError(explained.input, { type: 'server', message: explained.message }, { shouldFocus: true })
    else
      showFieldErrors<Values>((path, message, options) =>
        form.setError(check.toInput(path, form.getValues()) as FieldPath<Values>, message, options),
      )(error)
    notify({ title: failed, body: explained?.message ?? errorMessage(error), intent: 'error' })
  }

  return { ...form, submitOnce, showFailure, signedOut, clearSignedOut: () => setSignedOut(false) }
}
