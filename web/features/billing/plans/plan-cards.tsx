import { makeStyles, Skeleton, SkeletonItem, tokens } from '@fluentui/react-components'
import { useEffect, useRef } from 'react'
import type { Reply } from '#contracts/endpoint.ts'
import type { listPlans } from '#contracts/billing.ts'
import type { PlanId } from '#contracts/values/plans.ts'
import { PlanCard } from '#web/entities/billing/plan-card.tsx'

const useStyles = makeStyles({
  plans: {
    display: 'grid',
    gridTemplateColumns: 'repeat(3, minmax(0, 1fr))',
    columnGap: '20px',
    rowGap: '28px',
    marginTop: '12px',
    '@media (max-width: 1087px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  place: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    scrollMarginTop: '96px',
    scrollMarginBottom: '24px',
  },
  card: {
    display: 'grid',
    rowGap: '14px',
    alignContent: 'start',
    minHeight: '410px',
    boxSizing: 'border-box',
    padding: '24px',
    borderRadius: tokens.borderRadiusXLarge,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    backgroundColor: tokens.colorNeutralBackground1,
  },
  short: { width: '40%' },
  long: { width: '70%' },
})

/** A plan as the server offers it. */
export type OfferedPlan = Reply<typeof listPlans>[number]

type PlanCardsProps = {
  plans: readonly OfferedPlan[]
  /** What the address asks for: ringed instead of the recommended plan, and brought into sight on a phone. */
  preselected: PlanId | undefined
  /** What the practice has already. */
  current: PlanId | undefined
  /** What is being asked for right now. */
  pending: PlanId | null
  disabled: boolean
  /** One below the heading that stands above the plans. */
  heading: 'h2' | 'h3'
  /** The verb on the buttons: `Start Starter`. */
  verb: string
  onChoose: (plan: OfferedPlan) => void
}

/** The plans side by side, each with the button that takes it. */
export function PlanCards({ plans, preselected, current, pending, disabled, heading, verb, onChoose }: PlanCardsProps) {
  const styles = useStyles()
  const asked = useRef<HTMLDivElement>(null)
  useEffect(() => {
    asked.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const lit = current ?? preselected ?? plans.find(({ recommended }) => recommended)?.id
  return (
    <div className={styles.plans}>
      {plans.map((plan) => {
        const has = plan.id === current
        const flag = has ? 'Current Plan' : plan.recommended ? 'Most Popular' : undefined
        return (
          <div key={plan.id} className={styles.place} {...(plan.id === preselected ? { ref: asked } : {})}>
            <PlanCard
              heading={heading}
              plan={{ ...plan, summary: plan.description, recommended: plan.id === lit }}
              action={has ? 'Your plan' : plan.id === pending ? 'One moment...' : `${verb} ${plan.name}`}
              {...(flag === undefined ? {} : { flag })}
              disabled={disabled || has}
              onChoose={() => onChoose(plan)}
            />
          </div>
        )
      })}
    </div>
  )
}

/** The same before they are there, of the same height. */
export function PlanCardsSkeleton() {
  const styles = useStyles()
  return (
    <Skeleton aria-label="Loading the plans" className={styles.plans}>
      {[0, 1, 2].map((card) => (
        <div key={card} className={styles.card}>
          <SkeletonItem size={16} className={styles.short} />
          <SkeletonItem size={12} className={styles.long} />
          <SkeletonItem size={40} className={styles.short} />
          <SkeletonItem size={40} />
          {[0, 1, 2, 3, 4].map((line) => (
            <SkeletonItem key={line} size={12} className={styles.long} />
          ))}
        </div>
      ))}
    </Skeleton>
  )
}
