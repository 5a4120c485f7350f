import { Button, makeStyles, tokens } from '@fluentui/react-components'
import { CheckmarkFilled } from '@fluentui/react-icons/svg/checkmark'
import type { plans } from '#contracts/values/plans.ts'
import { PlanFrame } from './plan-frame.tsx'

const useStyles = makeStyles({ chosen: { color: tokens.colorBrandForeground1, fontSize: '20px' } })

type PlanCardProps = {
  plan: (typeof plans)[number]
  action: string
  /** Accessible name of the button, when its text changes with the selection. */
  label?: string
  flag?: string
  disabled?: boolean
  features?: number
  onChoose?: () => void
  /** Selection state within a radio group of plans; the button of the card is then a radio button. */
  chosen?: boolean
  tabIndex?: 0 | -1
  heading?: 'h2' | 'h3'
}

/** Plan with price, features and a button to choose it. */
export function PlanCard({
  plan,
  action,
  label,
  flag,
  disabled,
  features,
  onChoose,
  chosen,
  tabIndex,
  heading = 'h3',
}: PlanCardProps) {
  const styles = useStyles()
  return (
    <PlanFrame
      plan={plan}
      amount={`$${plan.price}`}
      period="per month"
      features={features}
      flag={flag}
      isHighlighted={chosen ?? plan.recommended}
      heading={heading}
    >
      <Button
        appearance={chosen === undefined && plan.recommended ? 'primary' : 'secondary'}
        size="large"
        icon={chosen ? <CheckmarkFilled className={styles.chosen} /> : undefined}
        {...(chosen === undefined ? {} : { role: 'radio', 'aria-checked': chosen, tabIndex })}
        aria-label={label}
        disabled={disabled}
        onClick={onChoose}
      >
        {action}
      </Button>
    </PlanFrame>
  )
}
