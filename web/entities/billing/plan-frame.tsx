import { makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components'
import { CheckmarkFilled } from '@fluentui/react-icons/svg/checkmark'
import type { ReactNode } from 'react'
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
  highlighted: { border: `1px solid ${tokens.colorBrandStroke1}`, boxShadow: `0 0 0 1px ${tokens.colorBrandStroke1}` },
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
  muted: { color: tokens.colorNeutralForeground3 },
  price: { display: 'flex', alignItems: 'baseline', columnGap: '6px', margin: '14px 0 16px' },
  amount: {
    fontSize: tokens.fontSizeHero900,
    lineHeight: '44px',
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.02em',
    fontVariantNumeric: 'tabular-nums',
  },
  features: { listStyleType: 'none', margin: '20px 0 0', padding: 0, display: 'grid', rowGap: '10px' },
  feature: { display: 'flex', columnGap: '10px', alignItems: 'flex-start' },
  tick: { color: tokens.colorBrandForeground1, flexShrink: 0, marginTop: '3px' },
})

type PlanFrameProps = {
  plan: (typeof plans)[number]
  amount: string
  /** Period that the amount pays for: "per month". */
  period: string
  /** Number of features shown; all by default. */
  features?: number | undefined
  flag?: string | false | undefined
  isHighlighted: boolean
  heading: 'h2' | 'h3'
  /** The button or link that chooses the plan. */
  children: ReactNode
}

/** Card of a plan: name, summary, price, button and features. */
export function PlanFrame({
  plan,
  amount,
  period,
  features = plan.features.length,
  flag,
  isHighlighted,
  heading: Heading,
  children,
}: PlanFrameProps) {
  const styles = useStyles()
  return (
    <article className={mergeClasses(styles.card, isHighlighted && styles.highlighted)}>
      {flag && <span className={styles.flag}>{flag}</span>}
      <Heading className={styles.name}>{plan.name}</Heading>
      <Text className={styles.muted}>{plan.summary}</Text>
      <div className={styles.price}>
        <span className={styles.amount}>{amount}</span>
        <span className={styles.muted}>{period}</span>
      </div>
      {children}
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
