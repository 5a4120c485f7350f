import { Button, Link, makeStyles, Text, tokens } from '@fluentui/react-components'
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { enableTwoFactor } from '#contracts/two-factor.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { showFieldErrors } from '#web/forms/form-errors.ts'
import { TextField } from '#web/forms/text-field.tsx'
import { useSubmitOnce } from '#web/forms/use-submit-once.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { type TwoFactorSetUp, useEnableTwoFactor } from './two-factor-api.ts'

const useStyles = makeStyles({
  root: {
    display: 'grid',
    gridTemplateColumns: '164px minmax(0, 1fr)',
    columnGap: '24px',
    rowGap: '16px',
    '@media (max-width: 639px)': { gridTemplateColumns: 'minmax(0, 1fr)', justifyItems: 'start' },
  },
  qr: {
    width: '164px',
    height: '164px',
    boxSizing: 'border-box',
    borderRadius: tokens.borderRadiusLarge,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  steps: { listStyleType: 'none', margin: 0, padding: 0, display: 'grid', rowGap: '16px', width: '100%' },
  step: { display: 'grid', gridTemplateColumns: '24px minmax(0, 1fr)', columnGap: '12px' },
  number: {
    width: '24px',
    height: '24px',
    display: 'grid',
    placeItems: 'center',
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: tokens.colorBrandBackground2,
    color: tokens.colorBrandForeground2,
    fontSize: tokens.fontSizeBase200,
  },
  key: { fontFamily: tokens.fontFamilyMonospace, overflowWrap: 'anywhere' },
  hint: { color: tokens.colorNeutralForeground3 },
  title: { fontWeight: tokens.fontWeightSemibold },
  form: { display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', columnGap: '8px', rowGap: '8px' },
  code: {
    width: '160px',
    gridTemplateColumns: 'minmax(0, 1fr)',
    '& .fui-Input': { minWidth: 0 },
    '& input': { minWidth: 0, fontFamily: tokens.fontFamilyMonospace, letterSpacing: '0.1em' },
  },
  // Beside the input, below its label.
  submit: { marginTop: '28px' },
})

type TwoFactorSetupProps = {
  setUp: TwoFactorSetUp
  onEnabled: (recoveryCodes: readonly string[]) => void
  /** The set-up took too long, or was finished elsewhere. */
  onEnded: () => void
}

/** Second half of turning two-factor sign-in on: scan the code, then prove that the app works. */
export function TwoFactorSetup({ setUp, onEnabled, onEnded }: TwoFactorSetupProps) {
  const styles = useStyles()
  const notify = useNotify()
  const enable = useEnableTwoFactor()
  const { control, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(enableTwoFactor.body),
    defaultValues: { code: '' },
  })
  const send = handleSubmit(async ({ code }) => {
    try {
      onEnabled((await enable.mutateAsync(code)).recoveryCodes)
    } catch (error) {
      if (showFieldErrors(setError)(error)) return
      const code = error instanceof ApiProblem ? error.code : ''
      if (code === 'two-factor-enabled') {
        // Its first reply was lost, or another window was faster.
        notify({ title: 'Two-factor authentication is on', body: 'Please get new recovery codes now.' })
        onEnded()
      } else {
        notify({ title: 'That did not work', body: errorMessage(error), intent: 'error' })
        if (code === 'setup-expired') onEnded()
      }
    }
  })
  const submit = useSubmitOnce(send)
  return (
    <div className={styles.root}>
      <img
        className={styles.qr}
        src={`data:image/svg+xml,${encodeURIComponent(setUp.qr)}`}
        alt="QR code for your authenticator app"
      />
      <ol className={styles.steps}>
        <li className={styles.step}>
          <span className={styles.number}>1</span>
          <div>
            <Text block className={styles.title}>
              Scan the code with an authenticator app
            </Text>
            <Text className={styles.hint}>
              Or type the key <span className={styles.key}>{setUp.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</span>
            </Text>
            <Text block className={styles.hint}>
              If the app is on this device, <Link href={setUp.otpauthUrl}>open it with the key</Link>.
            </Text>
          </div>
        </li>
        <li className={styles.step}>
          <span className={styles.number}>2</span>
          <div>
            <form className={styles.form} onSubmit={submit} noValidate>
              <TextField
                control={control}
                name="code"
                label="Enter the six digits it shows"
                className={styles.code}
                inputMode="numeric"
                autoComplete="one-time-code"
                size="medium"
                aria-required
                autoFocus
              />
              <Button
                type="submit"
                appearance="primary"
                className={styles.submit}
                disabledFocusable={formState.isSubmitting}
              >
                {formState.isSubmitting ? 'Checking...' : 'Turn on'}
              </Button>
            </form>
            <Text className={styles.hint}>You also get ten recovery codes, for days without your phone.</Text>
          </div>
        </li>
      </ol>
    </div>
  )
}
