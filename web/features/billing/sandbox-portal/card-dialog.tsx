import { makeStyles, Text } from '@fluentui/react-components'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { useConfirmSandboxPayment } from '../api.ts'
import { CardField } from '../card/card-field.tsx'
import { formatCardNumber, formatCvc, formatExpiry } from '../card/card-format.ts'
import { cardResolver, type CardValues, toCardField, toPaymentBody } from '../card/card-values.ts'
import { refreshSandboxPortal } from '../manage/manage-api.ts'

const useStyles = makeStyles({
  fields: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
    columnGap: '16px',
    rowGap: '16px',
    alignItems: 'start',
    '& .fui-Field': { gridTemplateColumns: 'minmax(0, 1fr)' },
    '& .fui-Input': { minWidth: 0 },
  },
  wide: { gridColumn: '1 / -1' },
})

const blankCard: CardValues = { cardNumber: '', expiry: '', cvc: '' }

type CardDialogProps = {
  clientSecret: string
  /** There is a bill that the new card pays at once. */
  owes: boolean
  onClose: () => void
}

/** Gives the subscription another card, and asks where the bank wants to be asked. Nothing of it stays in the window. */
export function CardDialog({ clientSecret, owes, onClose }: CardDialogProps) {
  const styles = useStyles()
  const notify = useNotify()
  const queries = useQueryClient()
  const pay = useConfirmSandboxPayment()
  const [asking, ask] = useState<CardValues | null>(null)
  const { control, handleSubmit, setError, formState, reset } = useForm<CardValues>({
    defaultValues: blankCard,
    resolver: cardResolver,
  })

  function refused(error: unknown): void {
    ask(null)
    if (!(error instanceof ApiProblem))
      return notify({ title: 'Payment Failed', body: errorMessage(error), intent: 'error' })
    const [first] = error.problem.errors
    const message = first?.message ?? error.detail
    setError(first ? toCardField(first.path) : 'cardNumber', { type: 'server', message }, { shouldFocus: true })
    notify({ title: 'Payment Failed', body: message, intent: 'error' })
  }

  async function send(values: CardValues, confirmed: boolean): Promise<void> {
    try {
      const { status } = await pay.mutateAsync(toPaymentBody(values, clientSecret, confirmed))
      if (status === 'requires_action') return ask(values)
      reset(blankCard)
      await refreshSandboxPortal(queries)
      notify({ title: 'Card changed', body: owes ? 'The open invoice is paid.' : 'It pays from now on.' })
      onClose()
    } catch (error) {
      refused(error)
    }
  }

  return (
    <FormDialog
      title="Change card"
      action={owes ? 'Pay with this card' : 'Save card'}
      pendingAction={owes ? 'Paying...' : 'Saving...'}
      pending={pay.isPending}
      dirty={formState.isDirty && !pay.isSuccess}
      signedOut={pay.error instanceof ApiProblem && pay.error.status === 401}
      onSubmit={handleSubmit((values) => send(values, false))}
      onClose={onClose}
    >
      <div className={styles.fields}>
        <CardField
          control={control}
          name="cardNumber"
          label="Card number"
          placeholder="1234 1234 1234 1234"
          autoComplete="cc-number"
          format={formatCardNumber}
          className={styles.wide}
          autoFocus
        />
        <CardField
          control={control}
          name="expiry"
          label="Expires"
          placeholder="MM / YY"
          autoComplete="cc-exp"
          format={formatExpiry}
        />
        <CardField
          control={control}
          name="cvc"
          label="Security code"
          placeholder="CVC"
          autoComplete="cc-csc"
          format={formatCvc}
        />
        <SecondaryText as="p" className={styles.wide}>
          Sandbox: no real card is charged. Only brand, last four digits and expiry date are kept.
        </SecondaryText>
      </div>
      <ConfirmDialog
        open={asking !== null}
        title="Confirm with your bank"
        action="Confirm"
        pendingAction="Confirming..."
        pending={pay.isPending}
        onConfirm={() => asking && void send(asking, true)}
        onCancel={() => ask(null)}
      >
        <Text>Your bank asks you to confirm this card. In the sandbox a click is enough.</Text>
      </ConfirmDialog>
    </FormDialog>
  )
}
