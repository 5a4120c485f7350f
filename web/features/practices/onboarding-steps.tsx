import { Button, Checkbox, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components'
import { addDays, format } from 'date-fns'
import { type KeyboardEvent, type ReactNode, type SyntheticEvent, useState } from 'react'
import { type PlanId, plans } from '#contracts/values/plans.ts'
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
  lead: {
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
  },
  foot: { display: 'flex', justifyContent: 'space-between', alignItems: 'center', columnGap: '12px' },
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

const trialDays = 30

/** The heading of a step; takes the focus when its step begins. */
export function StepHeading({ title, children }: { title: string; children: ReactNode }) {
  const styles = useStyles()
  return (
    <div className={styles.head}>
      <h1 className={styles.title} tabIndex={-1}>
        {title}
      </h1>
      <Text className={styles.lead}>{children}</Text>
    </div>
  )
}

/** Step 1. */
export function WelcomeStep({ firstName, onNext }: { firstName: string; onNext: () => void }) {
  const styles = useStyles()
  return (
    <>
      <StepHeading title={`Welcome to Everchart, ${firstName}`}>
        Setting up your practice takes about three minutes.
      </StepHeading>
      <OnboardingBenefits />
      <div className={mergeClasses(styles.foot, styles.end)}>
        <Button appearance="primary" size="large" onClick={onNext}>
          Get Started
        </Button>
      </div>
    </>
  )
}

type NewsletterProps = { checked: boolean; onCheck: (checked: boolean) => void; onBack: () => void; onNext: () => void }

/** Step 3. */
export function NewsletterStep({ checked, onCheck, onBack, onNext }: NewsletterProps) {
  const styles = useStyles()
  return (
    <>
      <StepHeading title="Stay Updated">One letter a month, and you can leave at any time.</StepHeading>
      <Checkbox
        size="large"
        checked={checked}
        onChange={(_, { checked: next }) => onCheck(next === true)}
        label="Yes, I want to receive healthcare insights and product updates"
      />
      <div className={styles.foot}>
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
  busy: boolean
  onChoose: (plan: PlanId) => void
  onBack: () => void
  onFinish: (event: SyntheticEvent) => void
}

/** Step 4: nothing is complete before a plan is chosen. */
export function PlanStep({ chosen, busy, onChoose, onBack, onFinish }: PlanProps) {
  const styles = useStyles()
  const taken = plans.find(({ id }) => id === chosen)
  // The three are one choice: Tab reaches it once, arrows move within it.
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const at = plans.findIndex(({ id }) => id === (chosen ?? plans[0]?.id))
    const next = (at + step + plans.length) % plans.length
    event.currentTarget.querySelectorAll<HTMLElement>('[role=radio]')[next]?.focus()
    if (plans[next]) onChoose(plans[next].id)
  }
  const [from] = useState(() => format(addDays(new Date(), trialDays), 'MMMM d'))
  return (
    <>
      <StepHeading title="Choose Your Plan">
        The first 30 days are free, and you can change your plan at any time.
      </StepHeading>
      <div className={styles.plans} role="radiogroup" tabIndex={-1} aria-label="Plan" onKeyDown={onKeyDown}>
        {plans.map((plan) => (
          <PlanCard
            key={plan.id}
            plan={plan}
            heading="h2"
            chosen={chosen === plan.id}
            action={chosen === plan.id ? 'Chosen' : `Choose ${plan.name}`}
            label={chosen === plan.id ? `Chosen, ${plan.name}` : `Choose ${plan.name}`}
            tabIndex={plan.id === (chosen ?? plans[0]?.id) ? 0 : -1}
            {...(plan.recommended ? { flag: 'Most Popular' } : {})}
            onChoose={() => onChoose(plan.id)}
          />
        ))}
      </div>
      <div className={styles.foot}>
        <Button size="large" onClick={onBack}>
          Back
        </Button>
        <span className={styles.finish}>
          <Text className={styles.due}>
            {taken ? `${taken.name}, $${taken.price} per month from ${from}` : 'Choose a plan to go on'}
          </Text>
          <Button appearance="primary" size="large" disabled={!taken} disabledFocusable={busy} onClick={onFinish}>
            {busy ? 'Setting up...' : 'Complete Setup'}
          </Button>
        </span>
      </div>
    </>
  )
}

/** Step 5. */
export function ReadyStep({ practiceName, onEnter }: { practiceName: string; onEnter: () => void }) {
  const styles = useStyles()
  return (
    <>
      <StepHeading title={`Welcome, ${practiceName}`}>Everything is set up.</StepHeading>
      <SecondaryText>
        You can bring your own patients from a spreadsheet whenever you like: Patients, Import.
      </SecondaryText>
      <div className={mergeClasses(styles.foot, styles.end)}>
        <Button appearance="primary" size="large" onClick={onEnter}>
          Enter Application
        </Button>
      </div>
    </>
  )
}
