import { Button, makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { useSignOut } from '#web/entities/accounts/use-sign-out.ts'
import { Brand } from '#web/ui/brand-mark.tsx'
import { Stepper } from '#web/ui/stepper.tsx'
import { aboveToasts } from '#web/ui/toast-position.ts'
import { deleteDraft } from './onboarding-draft.ts'
import { NewsletterStep, PaidPlanStep, PlanStep, ReadyStep, WelcomeStep } from './onboarding-steps.tsx'
import { PracticeForm } from './practice-form.tsx'
import { type Onboarding, useOnboarding } from './use-onboarding.ts'

const narrow = '@media (max-width: 639px)'

const useStyles = makeStyles({
  page: {
    minHeight: '100dvh',
    overflowX: 'clip',
    backgroundColor: tokens.colorNeutralBackground2,
    color: tokens.colorNeutralForeground1,
  },
  header: {
    height: '72px',
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    padding: '0 24px',
    [narrow]: { height: '60px', padding: '0 12px' },
  },
  column: {
    width: '640px',
    maxWidth: '100%',
    boxSizing: 'border-box',
    margin: '0 auto',
    padding: '8px 0 48px',
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    rowGap: '24px',
    '@media (max-width: 687px)': { padding: '8px 16px 32px' },
  },
  wide: { width: '1040px', '@media (max-width: 1087px)': { padding: '8px 24px 48px' } },
})

const steps = ['Welcome', 'Practice', 'Newsletter', 'Plan', 'Ready'] as const

/** Setup wizard with five steps. The input is kept when the user leaves. */
export function OnboardingScreen() {
  const user = useCurrentUser()
  return user && <OnboardingWizard user={user} />
}

function OnboardingWizard({ user }: { user: CurrentUser }) {
  const styles = useStyles()
  const signOut = useSignOut()
  const onboarding = useOnboarding(user)
  const { step } = onboarding.draft
  const main = useRef<HTMLElement>(null)

  useEffect(() => {
    document.title = `${steps[step - 1]}, practice setup, Everchart`
    // Moves the focus to the heading of the new step, also for screen readers.
    main.current?.querySelector<HTMLElement>('h1')?.focus()
  }, [step])

  const isWide = step === 4 && !onboarding.paidPlan
  return (
    <div className={styles.page}>
      <header className={styles.header} {...aboveToasts}>
        <Brand tagline="Healthcare Management" />
        <Button appearance="subtle" disabledFocusable={signOut.isPending} onClick={() => signOut.mutate()}>
          {signOut.isPending ? 'Signing Out...' : 'Sign Out'}
        </Button>
      </header>
      <main id="content" ref={main} className={mergeClasses(styles.column, isWide && styles.wide)}>
        <Stepper steps={steps} current={step - 1} label="Practice setup" />
        <CurrentStep user={user} onboarding={onboarding} />
      </main>
    </div>
  )
}

type CurrentStepProps = { user: CurrentUser; onboarding: Onboarding }

function CurrentStep({ user, onboarding }: CurrentStepProps) {
  const navigate = useNavigate()
  const { draft, change, practice, selectedPlan } = onboarding
  const { step, details, newsletterOptIn } = draft
  switch (step) {
    case 1:
      return <WelcomeStep firstName={user.firstName} onNext={() => change({ step: 2 })} />
    case 2:
      return (
        <PracticeForm
          details={details}
          timeZone={onboarding.timeZone}
          onChange={onboarding.keepTyped}
          onBack={(typed) => change({ details: typed, step: 1 })}
          onSave={onboarding.savePractice}
        />
      )
    case 3:
      return (
        <NewsletterStep
          checked={newsletterOptIn}
          onCheck={(checked) => change({ newsletterOptIn: checked })}
          onBack={() => change({ step: 2 })}
          onNext={() => change({ step: 4 })}
        />
      )
    case 4:
      return <PlanChoice onboarding={onboarding} />
    default:
      return (
        <ReadyStep
          practiceName={practice?.name ?? details.name}
          plan={user.isDemoUser ? selectedPlan : null}
          onEnter={(plan) => {
            deleteDraft(user.id)
            void navigate(plan ? { to: '/subscription', search: { plan, step: 'payment' } } : { to: '/' })
          }}
        />
      )
  }
}

/** The choice of a plan; the plan itself where the practice pays for one already. */
function PlanChoice({ onboarding }: { onboarding: Onboarding }) {
  const { change, isPending, paidPlan, selectedPlan, choosePlan, finish } = onboarding
  const onBack = () => change({ step: 3 })
  return paidPlan ? (
    <PaidPlanStep plan={paidPlan} isPending={isPending} onBack={onBack} onFinish={finish} />
  ) : (
    <PlanStep chosen={selectedPlan} isPending={isPending} onChoose={choosePlan} onBack={onBack} onFinish={finish} />
  )
}
