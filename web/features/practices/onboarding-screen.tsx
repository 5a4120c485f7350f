import { Button, makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { PracticeSetup } from '#contracts/practice-settings.ts'
import { Brand } from '#web/ui/brand-mark.tsx'
import { errorMessage } from '#web/api/call.ts'
import { practiceQuery } from '#web/entities/practices/practice-query.ts'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { keepChosenPlan } from '#web/entities/billing/chosen-plan.ts'
import { useSubmitOnce } from '#web/forms/use-submit-once.ts'
import { getBrowserTimeZone } from '#web/ui/dates.ts'
import { Stepper } from '#web/ui/stepper.tsx'
import { aboveToasts } from '#web/ui/toast-position.ts'
import { useSignOut } from '#web/entities/accounts/use-sign-out.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { useSetUpPractice } from './api.ts'
import { type Draft, deleteDraft, saveDraft, resumeDraft } from './onboarding-draft.ts'
import { NewsletterStep, PaidPlanStep, PlanStep, ReadyStep, WelcomeStep } from './onboarding-steps.tsx'
import { PracticeForm } from './practice-form.tsx'

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
  const navigate = useNavigate()
  const notify = useNotify()
  const signOut = useSignOut()
  const { data: practice = null } = useQuery({
    ...practiceQuery(user.practiceId ?? ''),
    enabled: user.practiceId !== null,
  })
  const [draft, setDraft] = useState<Draft>(() => resumeDraft(user, practice))
  const setup = useSetUpPractice()
  const { step, details, newsletterOptIn } = draft
  const paidPlan = user.isActiveSubscriber ? user.subscriptionTier : null
  const selectedPlan = paidPlan ?? draft.selectedPlan
  const main = useRef<HTMLElement>(null)

  useEffect(() => {
    document.title = `${steps[step - 1]}, practice setup, Everchart`
    // Moves the focus to the heading of the new step, also for screen readers.
    main.current?.querySelector<HTMLElement>('h1')?.focus()
  }, [step])

  function change(next: Partial<Draft>): void {
    const changed = { ...draft, ...next }
    saveDraft(user.id, changed)
    setDraft(changed)
  }

  async function send(more: Partial<Pick<Draft, 'newsletterOptIn' | 'selectedPlan'>>, values = details): Promise<void> {
    const { selectedPlan: plan, newsletterOptIn: newsletter } = { ...draft, ...more }
    await setup.mutateAsync({
      ...(values as PracticeSetup),
      timezone: practice?.timezone ?? getBrowserTimeZone(),
      newsletterOptIn: newsletter,
      ...('selectedPlan' in more && plan ? { selectedPlan: plan } : {}),
    })
  }

  async function finish(): Promise<void> {
    try {
      await send({ newsletterOptIn, selectedPlan })
      notify({ title: 'Practice Setup Complete!', body: 'Your practice has been successfully configured.' })
      change({ step: 5 })
    } catch (error) {
      notify({ title: 'Setup Failed', body: errorMessage(error) || 'Failed to set up practice', intent: 'error' })
    }
  }

  const finishOnce = useSubmitOnce(finish)

  return (
    <div className={styles.page}>
      <header className={styles.header} {...aboveToasts}>
        <Brand tagline="Healthcare Management" />
        <Button appearance="subtle" disabledFocusable={signOut.isPending} onClick={() => signOut.mutate()}>
          {signOut.isPending ? 'Signing Out...' : 'Sign Out'}
        </Button>
      </header>
      <main id="content" ref={main} className={mergeClasses(styles.column, step === 4 && !paidPlan && styles.wide)}>
        <Stepper steps={steps} current={step - 1} label="Practice setup" />
        {step === 1 && <WelcomeStep firstName={user.firstName} onNext={() => change({ step: 2 })} />}
        {step === 2 && (
          <PracticeForm
            details={details}
            timeZone={practice?.timezone ?? getBrowserTimeZone()}
            onChange={(typed) => saveDraft(user.id, { ...draft, details: typed })}
            onBack={(typed) => change({ details: typed, step: 1 })}
            onSave={async (typed) => {
              await send({}, typed)
              change({ details: typed, step: 3 })
            }}
          />
        )}
        {step === 3 && (
          <NewsletterStep
            checked={newsletterOptIn}
            onCheck={(checked) => change({ newsletterOptIn: checked })}
            onBack={() => change({ step: 2 })}
            onNext={() => change({ step: 4 })}
          />
        )}
        {step === 4 && paidPlan && (
          <PaidPlanStep
            plan={paidPlan}
            isPending={setup.isPending}
            onBack={() => change({ step: 3 })}
            onFinish={finishOnce}
          />
        )}
        {step === 4 && !paidPlan && (
          <PlanStep
            chosen={selectedPlan}
            isPending={setup.isPending}
            onChoose={(plan) => {
              keepChosenPlan(plan, user.id)
              change({ selectedPlan: plan })
            }}
            onBack={() => change({ step: 3 })}
            onFinish={finishOnce}
          />
        )}
        {step === 5 && (
          <ReadyStep
            practiceName={practice?.name ?? details.name}
            plan={user.isDemoUser ? selectedPlan : null}
            onEnter={(plan) => {
              deleteDraft(user.id)
              void navigate(plan ? { to: '/subscription', search: { plan, step: 'payment' } } : { to: '/' })
            }}
          />
        )}
      </main>
    </div>
  )
}
