import { makeStyles, mergeClasses, SkeletonItem, Skeleton, Text, tokens } from '@fluentui/react-components'
import { ArrowUndoRegular } from '@fluentui/react-icons/svg/arrow-undo'
import { CalendarCancelRegular } from '@fluentui/react-icons/svg/calendar-cancel'
import { LockClosedRegular } from '@fluentui/react-icons/svg/lock-closed'
import { useId } from 'react'
import type { getPlan } from '#contracts/values/plans.ts'
import { formatCents } from '#web/entities/billing/prices.ts'
import { formatBillingDateIn } from './billing-dates.ts'
import { IconList } from '../plans/icon-list.tsx'

const useStyles = makeStyles({
  heading: {
    margin: 0,
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
    fontWeight: tokens.fontWeightSemibold,
  },
  summary: { display: 'block', color: tokens.colorNeutralForeground3, marginBottom: '12px' },
  bill: { margin: 0 },
  row: {
    display: 'flex',
    justifyContent: 'space-between',
    columnGap: '16px',
    padding: '8px 0',
    fontVariantNumeric: 'tabular-nums',
    '> dd': { margin: 0 },
  },
  total: {
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    marginTop: '8px',
    paddingTop: '16px',
    fontSize: tokens.fontSizeBase400,
    fontWeight: tokens.fontWeightSemibold,
  },
  details: { marginTop: '16px', paddingTop: '20px', borderTop: `1px solid ${tokens.colorNeutralStroke2}` },
  skeleton: { display: 'grid', rowGap: '20px', padding: '12px 0 8px' },
})

const assurances = [
  ['30-day money-back guarantee', ArrowUndoRegular],
  ['Cancel anytime', CalendarCancelRegular],
  ['Secure processing', LockClosedRegular],
] as const

type PaymentSummaryProps = {
  className: string
  plan: ReturnType<typeof getPlan>
  /** Days of the free trial, 0 for none; null while loading. */
  trialDays: number | null
}

/** Order summary: monthly price, trial, and the amount due today. */
export function PaymentSummary({ className, plan, trialDays }: PaymentSummaryProps) {
  const styles = useStyles()
  const id = useId()
  const price = formatCents(plan.price * 100)
  return (
    <section className={className} aria-labelledby={id}>
      <h2 id={id} className={styles.heading}>
        {plan.name}
      </h2>
      <Text className={styles.summary}>{plan.summary}</Text>
      {trialDays === null ? (
        <Skeleton aria-label="Calculating the amount due" className={styles.skeleton}>
          <SkeletonItem size={12} />
          <SkeletonItem size={12} />
          <SkeletonItem size={16} />
        </Skeleton>
      ) : (
        <dl className={styles.bill}>
          <div className={styles.row}>
            <dt>{trialDays > 0 ? `Each month from ${formatBillingDateIn(trialDays)}` : 'Each month from today'}</dt>
            <dd>{price}</dd>
          </div>
          {trialDays > 0 && (
            <div className={styles.row}>
              <dt>{trialDays}-day free trial</dt>
              <dd>{formatCents(-plan.price * 100)}</dd>
            </div>
          )}
          <div className={mergeClasses(styles.row, styles.total)}>
            <dt>Due today</dt>
            <dd>{trialDays > 0 ? formatCents(0) : price}</dd>
          </div>
        </dl>
      )}
      <div className={styles.details}>
        <IconList items={assurances} />
      </div>
    </section>
  )
}
