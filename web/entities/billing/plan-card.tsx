import { Button, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components'
import { CheckmarkFilled } from '@fluentui/react-icons/svg/checkmark'
import type { plans } from '#contracts/values/plans.ts'

const useStyles = makeStyles({
  card: {
    position: 'relative',
    display: 'flex',
    flexDirection: 'column',
    padding: '24px',
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorNeutralBackground1,
    minWidth: 0,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  recommended: { border: `1px solid ${tokens.colorBrandStroke1}`, boxShadow: `0 0 0 1px ${tokens.colorBrandStroke1}` },
  flag: {
    position: 'absolute',
    top: '-12px',
    left: '23px',
    padding: '0 10px',
    lineHeight: '24px',
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: tokens.colorBrandBackground,
    color: tokens.colorNeutralForegroundOnBrand,
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightSemibold,
  },
  name: {
    margin: 0,
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
    fontWeight: tokens.fontWeightSemibold,
  },
  description: { color: tokens.colorNeutralForeground3 },
  price: { display: 'flex', alignItems: 'baseline', columnGap: '6px', margin: '14px 0 16px' },
  amount: {
    fontSize: tokens.fontSizeHero900,
    lineHeight: '44px',
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.02em',
    fontVariantNumeric: 'tabular-nums',
  },
  period: { color: tokens.colorNeutralForeground3 },
  features: { listStyleType: 'none', margin: '20px 0 0', padding: 0, display: 'grid', rowGap: '10px' },
  feature: { display: 'flex', columnGap: '10px', alignItems: 'flex-start' },
  chosen: { color: tokens.colorBrandForeground1, fontSize: '20px' },
  tick: { color: tokens.colorBrandForeground1, flexShrink: 0, marginTop: '3px' },
})

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
  features = plan.features.length,
  onChoose,
  chosen,
  tabIndex,
  heading: Heading = 'h3',
}: PlanCardProps) {
  const styles = useStyles()
  const isHighlighted = chosen ?? plan.recommended
  return (
    <article className={mergeClasses(styles.card, isHighlighted && styles.recommended)}>
      {flag && <span className={styles.flag}>{flag}</span>}
      <Heading className={styles.name}>{plan.name}</Heading>
      <Text className={styles.description}>{plan.summary}</Text>
      <div className={styles.price}>
        <span className={styles.amount}>${plan.price}</span>
        <span className={styles.period}>per month</span>
      </div>
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
      <ul className={styles.features}>
        {plan.features.slice(0, features).map((feature) => (
          <li key={feature} className={styles.feature}>
            <CheckmarkFilled className={styles.tick} aria-hidden />
            <Text>{feature}</Text>
          </li>
        ))}
      </ul>
    </article>
  )
}
