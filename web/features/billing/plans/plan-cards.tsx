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
  planSlot: {
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

/** Plan with its price, as the server offers it. */
export type OfferedPlan = Reply<typeof listPlans>[number]

type PlanCardsProps = {
  plans: readonly OfferedPlan[]
  /** Plan in the URL: highlighted instead of the recommended plan, and scrolled into view on a phone. */
  preselected: PlanId | undefined
  /** Plan of the current subscription. */
  current: PlanId | undefined
  /** Plan whose request is in progress. */
  pending: PlanId | null
  disabled: boolean
  /** Heading level, one below that of the heading above. */
  heading: 'h2' | 'h3'
  /** The verb on the buttons: `Start Starter`. */
  verb: string
  onChoose: (plan: OfferedPlan) => void
}

/** Plans side by side, each with a button to choose it. */
export function PlanCards({ plans, preselected, current, pending, disabled, heading, verb, onChoose }: PlanCardsProps) {
  const styles = useStyles()
  const preselectedCard = useRef<HTMLDivElement>(null)
  useEffect(() => {
    preselectedCard.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const highlighted = current ?? preselected ?? plans.find(({ recommended }) => recommended)?.id
  return (
    <div className={styles.plans}>
      {plans.map((plan) => {
        const isCurrent = plan.id === current
        const flag = isCurrent ? 'Current Plan' : plan.recommended ? 'Most Popular' : undefined
        return (
          <div key={plan.id} className={styles.planSlot} {...(plan.id === preselected ? { ref: preselectedCard } : {})}>
            <PlanCard
              heading={heading}
              plan={{ ...plan, summary: plan.description, recommended: plan.id === highlighted }}
              action={isCurrent ? 'Your plan' : plan.id === pending ? 'Please wait...' : `${verb} ${plan.name}`}
              {...(flag === undefined ? {} : { flag })}
              disabled={disabled || isCurrent}
              onChoose={() => onChoose(plan)}
            />
          </div>
        )
      })}
    </div>
  )
}

/** Placeholder of the same height while the plans load. */
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
