import { makeStyles, Text, tokens } from '@fluentui/react-components'
import { useId, useState } from 'react'
import { plans } from '#contracts/values/plans.ts'
import { LinkButton } from '#web/ui/link-button.tsx'
import { PlanFrame } from './plan-frame.tsx'
import { type PricePeriod, formatPlanPrice } from './prices.ts'

const small = '@media (max-width: 959px)'

const useStyles = makeStyles({
  list: { display: 'grid', rowGap: '32px', gridTemplateColumns: 'minmax(0, 1fr)' },
  toggle: {
    justifySelf: 'start',
    display: 'flex',
    margin: 0,
    padding: '4px',
    columnGap: '4px',
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorNeutralBackground3,
  },
  visuallyHidden: { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' },
  period: {
    display: 'flex',
    alignItems: 'center',
    columnGap: '8px',
    minHeight: '36px',
    padding: '0 16px',
    cursor: 'pointer',
    borderRadius: tokens.borderRadiusMedium,
    color: tokens.colorNeutralForeground2,
    fontWeight: tokens.fontWeightMedium,
    ':has(:checked)': {
      backgroundColor: tokens.colorNeutralBackground1,
      color: tokens.colorNeutralForeground1,
      boxShadow: `0 0 0 1px ${tokens.colorNeutralStroke1}`,
    },
    ':has(:focus-visible)': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '2px' },
  },
  save: { color: tokens.colorBrandForeground1, fontWeight: tokens.fontWeightSemibold },
  plans: {
    display: 'grid',
    gridTemplateColumns: 'repeat(3, minmax(0, 1fr))',
    columnGap: '24px',
    rowGap: '28px',
    [small]: { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  choose: { minHeight: '44px' },
  note: { color: tokens.colorNeutralForeground2 },
  link: {
    color: tokens.colorBrandForegroundLink,
    borderRadius: tokens.borderRadiusSmall,
    ':hover': { color: tokens.colorBrandForegroundLinkHover },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '2px' },
  },
})

/** Monthly and yearly prices of all plans, each with a link to subscribe. */
export function PriceList({ heading }: { heading: 'h2' | 'h3' }) {
  const styles = useStyles()
  const [period, setPeriod] = useState<PricePeriod>('monthly')
  const name = useId()
  const option = (value: PricePeriod, label: string) => (
    <label className={styles.period}>
      <input
        className={styles.visuallyHidden}
        type="radio"
        name={name}
        value={value}
        checked={period === value}
        onChange={() => setPeriod(value)}
      />
      {label}
      {value === 'yearly' && <span className={styles.save}>Save 20%</span>}
    </label>
  )
  return (
    <div className={styles.list}>
      <fieldset className={styles.toggle}>
        <legend className={styles.visuallyHidden}>Billing period</legend>
        {option('monthly', 'Monthly')}
        {option('yearly', 'Yearly')}
      </fieldset>
      <div className={styles.plans}>
        {plans.map((plan) => {
          const { amount, per } = formatPlanPrice(plan.price, period)
          return (
            <PlanFrame
              key={plan.id}
              plan={plan}
              amount={amount}
              period={per}
              flag={plan.recommended && 'Popular'}
              isHighlighted={plan.recommended}
              large
              heading={heading}
            >
              <LinkButton
                to="/subscription"
                search={{ plan: plan.id }}
                appearance={plan.recommended ? 'primary' : 'secondary'}
                size="large"
                className={styles.choose}
              >
                Start {plan.name}
              </LinkButton>
            </PlanFrame>
          )
        })}
      </div>
      <Text className={styles.note} role="status">
        {period === 'monthly' ? (
          '30-day free trial on every plan. Cancel anytime.'
        ) : (
          <>
            Plans you start here are billed by the month.{' '}
            <a className={styles.link} href="mailto:sales@everchart.example?subject=Yearly%20billing">
              Contact Sales
            </a>{' '}
            to pay by the year.
          </>
        )}
      </Text>
    </div>
  )
}
