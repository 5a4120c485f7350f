import { Button, makeStyles, Switch, Text, tokens } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PasswordDialog } from '#web/forms/password-dialog.tsx'
import { formatLocalDate } from '#web/ui/dates.ts'
import { Panel } from '#web/ui/panel.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { LoadedSection } from '../sections/section-state.tsx'
import { SettingsFooter } from '../sections/settings-grid.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import { type TwoFactorStatus, twoFactorQuery, useTwoFactor } from './two-factor-api.ts'
import { TwoFactorSetup } from './two-factor-setup.tsx'

const useStyles = makeStyles({
  text: { margin: 0, color: tokens.colorNeutralForeground2 },
  few: { color: tokens.colorStatusWarningForeground1 },
})

/** The actions for which the password is asked. */
type Question = 'turn-on' | 'turn-off' | 'new-codes'

/** Few enough that the user should ask for new ones. */
const fewCodes = 3

/** Two-factor sign-in of the user: switch, set-up and recovery codes. Where the practice requires it, it stays on. */
export function TwoFactorSection({ isRequired }: { isRequired: boolean }) {
  const query = useQuery(twoFactorQuery)
  const { setUp, disable, replaceCodes } = useTwoFactor()
  const notify = useNotify()
  const [question, setQuestion] = useState<Question | null>(null)
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[] | null>(null)
  const isOn = query.data?.isEnabled ?? false
  const isSettingUp = !isOn && setUp.data !== undefined

  const answers: Record<Question, (answer: { password: string; code: string }) => Promise<unknown>> = {
    'turn-on': ({ password }) => setUp.mutateAsync(password),
    'turn-off': async (answer) => {
      await disable.mutateAsync(answer)
      setUp.reset()
      notify({ title: 'Two-factor authentication is off' })
    },
    'new-codes': async (answer) => setRecoveryCodes((await replaceCodes.mutateAsync(answer)).recoveryCodes),
  }
  const toggle = (checked: boolean) => {
    if (isSettingUp) setUp.reset()
    else setQuestion(checked ? 'turn-on' : 'turn-off')
  }
  const label = isSettingUp ? 'Setting up' : isOn ? 'On' : 'Off'
  return (
    <Panel
      title="Two-Factor Authentication"
      action={
        query.data && (
          <Switch
            checked={isOn || isSettingUp}
            disabled={isOn && isRequired}
            label={{ children: label, 'aria-hidden': true }}
            aria-label="Two-factor authentication"
            labelPosition="before"
            onChange={(_, { checked }) => toggle(checked)}
          />
        )
      }
    >
      <LoadedSection
        query={query}
        subject="Two-factor authentication"
        loadingSubject="two-factor authentication"
        rows={1}
      >
        {(status) =>
          isSettingUp ? (
            <TwoFactorSetup
              setUp={setUp.data}
              onEnabled={(codes) => {
                setUp.reset()
                setRecoveryCodes(codes)
              }}
              onEnded={setUp.reset}
            />
          ) : (
            <Status status={status} isRequired={isRequired} onReplaceCodes={() => setQuestion('new-codes')} />
          )
        }
      </LoadedSection>
      {question && (
        <PasswordDialog
          {...questions[question]}
          needsCode={isOn}
          onConfirm={async (answer) => {
            await answers[question](answer)
            setQuestion(null)
          }}
          onClose={() => setQuestion(null)}
        />
      )}
      {recoveryCodes && <RecoveryCodesDialog codes={recoveryCodes} onClose={() => setRecoveryCodes(null)} />}
    </Panel>
  )
}

type StatusProps = { status: TwoFactorStatus; isRequired: boolean; onReplaceCodes: () => void }

function Status({ status, isRequired, onReplaceCodes }: StatusProps) {
  const styles = useStyles()
  const { isEnabled, enabledAt, recoveryCodesLeft } = status
  if (!isEnabled)
    return (
      <Text as="p" block className={styles.text}>
        With it, a stolen password is not enough: signing in also asks for six digits that an app on your phone shows.
      </Text>
    )
  return (
    <>
      <Text as="p" block className={styles.text}>
        On since {enabledAt && formatLocalDate(enabledAt)}. Signing in asks for the six digits of your authenticator
        app.{isRequired && ' Your practice requires it.'}{' '}
        <span className={recoveryCodesLeft <= fewCodes ? styles.few : undefined}>
          {recoveryCodesLeft === 1 ? '1 recovery code is left.' : `${recoveryCodesLeft} recovery codes are left.`}
        </span>
      </Text>
      <SettingsFooter>
        <Button onClick={onReplaceCodes}>New recovery codes</Button>
      </SettingsFooter>
    </>
  )
}

const questions: Record<Question, { title: string; reason: string; action: string; pendingAction: string }> = {
  'turn-on': {
    title: 'Turn on two-factor authentication',
    reason:
      'You need an authenticator app on your phone, such as Google Authenticator, Microsoft Authenticator or Aegis.',
    action: 'Continue',
    pendingAction: 'Checking...',
  },
  'turn-off': {
    title: 'Turn off two-factor authentication',
    reason: 'Signing in will ask for your password only. Your recovery codes stop working.',
    action: 'Turn off',
    pendingAction: 'Turning off...',
  },
  'new-codes': {
    title: 'New recovery codes',
    reason: 'You get ten new codes. The earlier ones stop working.',
    action: 'Show new codes',
    pendingAction: 'Checking...',
  },
}
