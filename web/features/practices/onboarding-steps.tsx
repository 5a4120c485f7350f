import { Button, Checkbox, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components'
import { addDays, format } from 'date-fns'
import { type KeyboardEvent, type ReactNode, type SyntheticEvent, useState } from 'react'
import { getPlan, type PlanId, plans, trialDays } from '#contracts/values/plans.ts'
import { PlanCard } from '#web/entities/billing/plan-card.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { OnboardingBenefits } from './onboarding-benefits.tsx'

const narrow = '@media (max-width: 639px)'

const useStyles = makeStyles({
  head: { display: 'grid', rowGap: '4px', marginTop: '8px' },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeHero700,
    lineHeight: tokens.lineHeightHero700,
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.02em',
    overflowWrap: 'anywhere',
    ':focus': { outline: 'none' },
    [narrow]: { fontSize: tokens.fontSizeBase600, lineHeight: tokens.lineHeightBase600 },
  },
  intro: {
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
  },
  footer: { display: 'flex', justifyContent: 'space-between', alignItems: 'center', columnGap: '12px' },
  end: { justifyContent: 'flex-end' },
  finish: { display: 'flex', alignItems: 'center', columnGap: '16px' },
  due: { color: tokens.colorNeutralForeground2, [narrow]: { display: 'none' } },
  plans: {
    display: 'grid',
    gridTemplateColumns: 'repeat(3, minmax(0, 1fr))',
    columnGap: '20px',
    rowGap: '28px',
    marginTop: '8px',
    '@media (max-width: 959px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
})

/** Heading of a step, which receives the focus when the step opens. */
export function StepHeading({ title, children }: { title: string; children: ReactNode }) {
  const styles = useStyles()
  return (
    <div className={styles.head}>
      <h1 className={styles.title} tabIndex={-1}>
        {title}
      </h1>
      <Text className={styles.intro}>{children}</Text>
    </div>
  )
}

/** Step 1: welcome. */
export function WelcomeStep({ firstName, onNext }: { firstName: string; onNext: () => void }) {
  const styles = useStyles()
  return (
    <>
      <StepHeading title={`Welcome to Everchart, ${firstName}`}>
        Setting up your practice takes about three minutes.
      </StepHeading>
      <OnboardingBenefits />
      <div className={mergeClasses(styles.footer, styles.end)}>
        <Button appearance="primary" size="large" onClick={onNext}>
          Get Started
        </Button>
      </div>
    </>
  )
}

type NewsletterProps = { checked: boolean; onCheck: (checked: boolean) => void; onBack: () => void; onNext: () => void }

/** Step 3: newsletter. */
export function NewsletterStep({ checked, onCheck, onBack, onNext }: NewsletterProps) {
  const styles = useStyles()
  return (
    <>
      <StepHeading title="Stay Updated">One email a month. Unsubscribe at any time.</StepHeading>
      <Checkbox
        size="large"
        checked={checked}
        onChange={(_, { checked: next }) => onCheck(next === true)}
        label="Yes, I want to receive healthcare insights and product updates"
      />
      <div className={styles.footer}>
        <Button size="large" onClick={onBack}>
          Back
        </Button>
        <Button appearance="primary" size="large" onClick={onNext}>
          Continue
        </Button>
      </div>
    </>
  )
}

type PlanProps = {
  chosen: PlanId | null
  isPending: boolean
  onChoose: (plan: PlanId) => void
  onBack: () => void
  onFinish: (event: SyntheticEvent) => void
}

/** Step 4: plan. The setup cannot be completed without one. */
export function PlanStep({ chosen, isPending, onChoose, onBack, onFinish }: PlanProps) {
  const styles = useStyles()
  const chosenPlan = plans.find(({ id }) => id === chosen)
  // The plans are a radio group: one tab stop, arrow keys move within it.
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const index = plans.findIndex(({ id }) => id === (chosen ?? plans[0]?.id))
    const next = (index + step + plans.length) % plans.length
    event.currentTarget.querySelectorAll<HTMLElement>('[role=radio]')[next]?.focus()
    if (plans[next]) onChoose(plans[next].id)
  }
  const [firstPaymentDate] = useState(() => format(addDays(new Date(), trialDays), 'MMMM d'))
  return (
    <>
      <StepHeading title="Choose Your Plan">
        The first {trialDays} days are free, and you can change your plan at any time.
      </StepHeading>
      <div className={styles.plans} role="radiogroup" tabIndex={-1} aria-label="Plan" onKeyDown={onKeyDown}>
        {plans.map((plan) => (
          <PlanCard
            key={plan.id}
            plan={plan}
            heading="h2"
            chosen={chosen === plan.id}
            action={chosen === plan.id ? 'Selected' : `Choose ${plan.name}`}
            label={chosen === plan.id ? `Selected, ${plan.name}` : `Choose ${plan.name}`}
            tabIndex={plan.id === (chosen ?? plans[0]?.id) ? 0 : -1}
            {...(plan.recommended ? { flag: 'Most Popular' } : {})}
            onChoose={() => onChoose(plan.id)}
          />
        ))}
      </div>
      <div className={styles.footer}>
        <Button size="large" onClick={onBack}>
          Back
        </Button>
        <span className={styles.finish}>
          <Text className={styles.due}>
            {chosenPlan
              ? `${chosenPlan.name}, $${chosenPlan.price} per month from ${firstPaymentDate}`
              : 'Choose a plan to continue'}
          </Text>
          <FinishButton disabled={!chosenPlan} isPending={isPending} onFinish={onFinish} />
        </span>
      </div>
    </>
  )
}

type FinishProps = Pick<PlanProps, 'isPending' | 'onFinish'>

const FinishButton = ({ disabled = false, isPending, onFinish }: FinishProps & { disabled?: boolean }) => (
  <Button appearance="primary" size="large" disabled={disabled} disabledFocusable={isPending} onClick={onFinish}>
    {isPending ? 'Setting up...' : 'Complete Setup'}
  </Button>
)

/** Step 4 for an owner who has paid already, and has no plan left to choose. */
export function PaidPlanStep({ plan, onBack, ...finish }: FinishProps & { plan: PlanId; onBack: () => void }) {
  const styles = useStyles()
  return (
    <>
      <StepHeading title={`Your ${getPlan(plan).name} plan is active`}>
        Complete the setup to start. You can change your plan at any time.
      </StepHeading>
      <div className={styles.footer}>
        <Button size="large" onClick={onBack}>
          Back
        </Button>
        <FinishButton {...finish} />
      </div>
    </>
  )
}

type ReadyProps = {
  practiceName: string
  /** The chosen plan; null when nothing is left to pay. */
  plan: PlanId | null
  /** Called with the plan to pay for, or with null to enter without one. */
  onEnter: (plan: PlanId | null) => void
}

/** Step 5: ready. Continues with the payment of the chosen plan, or with the demo. */
export function ReadyStep({ practiceName, plan, onEnter }: ReadyProps) {
  const styles = useStyles()
  return (
    <>
      <StepHeading title={`Welcome, ${practiceName}`}>Everything is set up.</StepHeading>
      <SecondaryText>
        You can import your patients from a spreadsheet at any time: open Patients, then Import.
      </SecondaryText>
      {plan && (
        <SecondaryText>
          Next, you start your {trialDays}-day free trial of {getPlan(plan).name}. Or explore the sample practice first
          and upgrade at any time.
        </SecondaryText>
      )}
      <div className={mergeClasses(styles.footer, !plan && styles.end)}>
        {plan && (
          <Button size="large" onClick={() => onEnter(null)}>
            Explore the demo first
          </Button>
        )}
        <Button appearance="primary" size="large" onClick={() => onEnter(plan)}>
          Enter Application
        </Button>
      </div>
    </>
  )
}
