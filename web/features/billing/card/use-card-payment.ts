import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiProblem } from '#web/api/call.ts'
import { useConfirmSandboxPayment } from '../api.ts'
import { cardResolver, type CardValues, toPaymentBody } from './card-values.ts'

type CardPaymentOptions = {
  clientSecret: string
  onPaid: () => Promise<void>
  onError: (error: unknown) => void
}

/** Card form of the sandbox: sends the card, and asks for confirmation where the bank requires it. */
export function useCardPayment({ clientSecret, onPaid, onError }: CardPaymentOptions) {
  const { mutateAsync, isPending, isSuccess, error: lastError } = useConfirmSandboxPayment()
  const [cardToConfirm, setCardToConfirm] = useState<CardValues | null>(null)
  const { control, handleSubmit, setError, setFocus, reset, formState } = useForm<CardValues>({
    resolver: cardResolver,
    defaultValues: { cardNumber: '', expiry: '', cvc: '' },
  })

  async function send(card: CardValues, isConfirmed: boolean): Promise<void> {
    try {
      const { status } = await mutateAsync(toPaymentBody(card, clientSecret, isConfirmed))
      if (status === 'requires_action') setCardToConfirm(card)
      else await onPaid()
    } catch (error) {
      setCardToConfirm(null)
      onError(error)
    }
  }

  return {
    control,
    isPending,
    isSuccess,
    isDirty: formState.isDirty,
    /** The last attempt failed because the session has expired. */
    isSignedOut: lastError instanceof ApiProblem && lastError.status === 401,
    submit: handleSubmit((card) => send(card, false)),
    reset: () => reset(),
    /** Card for which the bank requires confirmation. */
    cardToConfirm,
    confirm: () => {
      if (cardToConfirm) void send(cardToConfirm, true)
    },
    cancelConfirmation: () => setCardToConfirm(null),
    showError: (field: keyof CardValues, message: string) => {
      setError(field, { type: 'server', message })
      setFocus(field, { shouldSelect: field === 'cardNumber' })
    },
  }
}
