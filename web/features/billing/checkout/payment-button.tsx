import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { LockClosedRegular } from '@fluentui/react-icons/svg/lock-closed'
import { formatBillingDateIn } from './billing-dates.ts'

const useStyles = makeStyles({
  pay: { width: '100%', minHeight: '44px', whiteSpace: 'normal' },
  note: {
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
})

type PaymentButtonProps = {
  /** Whole US dollars per month. */
  price: number
  trialDays: number
  pending: boolean
  disabled?: boolean
}

/** Payment button, with the date of the first charge. */
export function PaymentButton({ price, trialDays, pending, disabled = false }: PaymentButtonProps) {
  const styles = useStyles()
  return (
    <>
      <Button
        className={styles.pay}
        size="large"
        appearance="primary"
        icon={<LockClosedRegular />}
        type="submit"
        disabledFocusable={pending || disabled}
      >
        {pending ? 'Processing...' : `Complete Subscription - $${price}/month`}
      </Button>
      <Text className={styles.note}>
        Your card is stored by the payment provider, never by us.{' '}
        {trialDays > 0 && `Nothing is charged before ${formatBillingDateIn(trialDays)}.`}
      </Text>
    </>
  )
}
