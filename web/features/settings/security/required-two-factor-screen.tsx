import { Button, makeStyles } from '@fluentui/react-components'
import { FingerprintRegular } from '@fluentui/react-icons/svg/fingerprint'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { useForm } from 'react-hook-form'
import { setUpTwoFactor } from '#contracts/two-factor.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { currentUserQuery, refreshCurrentUser, useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { supportsPasskeys } from '#web/entities/accounts/passkey-ceremony.ts'
import { useSignOut } from '#web/entities/accounts/use-sign-out.ts'
import { showFieldErrors } from '#web/forms/form-errors.ts'
import { TextField } from '#web/forms/text-field.tsx'
import { useSubmitOnce } from '#web/forms/use-submit-once.ts'
import { NarrowPage } from '#web/ui/narrow-page.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { AddPasskeyDialog } from './add-passkey-dialog.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import { useTwoFactor } from './two-factor-api.ts'
import { TwoFactorSetup } from './two-factor-setup.tsx'

const route = getRouteApi('/two-factor')

const useStyles = makeStyles({
  form: { display: 'grid', rowGap: '16px', maxWidth: '400px' },
  passkey: { justifySelf: 'start' },
  leave: { justifySelf: 'start', minWidth: 0, paddingLeft: 0 },
})

/** `/two-factor`: the only screen of a member whose practice requires two-factor sign-in, until it is set up. */
export function RequiredTwoFactorScreen() {
  const styles = useStyles()
  const notify = useNotify()
  const queries = useQueryClient()
  const router = useRouter()
  const user = useCurrentUser()
  const signOut = useSignOut()
  const { redirect } = route.useSearch()
  const { setUp } = useTwoFactor()
  const [isAddingPasskey, setIsAddingPasskey] = useState(false)
  const canUsePasskey = supportsPasskeys()
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[] | null>(null)
  const { control, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(setUpTwoFactor.body),
    defaultValues: { password: '' },
  })
  const leaveIfDone = useEffectEvent(() => {
    if (user?.mustSetUpTwoFactor) return
    router.history.replace(user ? redirect : '/auth?redirect=/two-factor')
  })
  // Only when the screen opens: later it shows the recovery codes first.
  useEffect(() => leaveIfDone(), [])

  const leave = async () => {
    await refreshCurrentUser(queries)
    // The read model may be a moment behind; the screen that follows would lead back here.
    if (queries.getQueryData(currentUserQuery.queryKey)?.mustSetUpTwoFactor)
      return notify({ title: 'Not ready yet', body: 'Please try again in a moment.', intent: 'error' })
    router.history.replace(redirect)
  }
  const send = handleSubmit(async ({ password }) => {
    try {
      await setUp.mutateAsync(password)
    } catch (error) {
      // It was turned on in another window.
      if (error instanceof ApiProblem && error.code === 'two-factor-enabled') return await leave()
      const message = error instanceof ApiProblem ? error.detail : errorMessage(error)
      if (!showFieldErrors(setError)(error)) setError('password', { message }, { shouldFocus: true })
    }
  })
  const submit = useSubmitOnce(send)
  const passkey = canUsePasskey ? ', or a passkey of your device' : ''
  const requirement = `Your practice requires it for everyone. You need an authenticator app on your phone, such as Google Authenticator, Microsoft Authenticator or Aegis${passkey}. It takes two minutes.`
  return (
    <NarrowPage title="Set up two-factor authentication" intro={requirement} isWide>
      {setUp.data ? (
        <TwoFactorSetup
          setUp={setUp.data}
          onEnabled={setRecoveryCodes}
          onEnded={() => {
            setUp.reset()
            void leave()
          }}
        />
      ) : (
        <form className={styles.form} onSubmit={submit} noValidate>
          <input type="hidden" name="username" autoComplete="username" value={user?.email ?? ''} />
          <TextField
            control={control}
            name="password"
            label="Your password"
            type="password"
            autoComplete="current-password"
            aria-required
            autoFocus
          />
          <Button appearance="primary" size="large" type="submit" disabledFocusable={formState.isSubmitting}>
            {formState.isSubmitting ? 'Checking...' : 'Continue'}
          </Button>
        </form>
      )}
      {canUsePasskey && !recoveryCodes && (
        <Button icon={<FingerprintRegular />} className={styles.passkey} onClick={() => setIsAddingPasskey(true)}>
          Use a passkey instead
        </Button>
      )}
      {isAddingPasskey && (
        <AddPasskeyDialog
          needsCode={false}
          onAdded={() => {
            setIsAddingPasskey(false)
            void leave()
          }}
          onClose={() => setIsAddingPasskey(false)}
        />
      )}
      <Button
        className={styles.leave}
        appearance="transparent"
        disabledFocusable={signOut.isPending}
        onClick={() => signOut.mutate()}
      >
        Sign out
      </Button>
      {recoveryCodes && <RecoveryCodesDialog codes={recoveryCodes} onClose={() => void leave()} />}
    </NarrowPage>
  )
}
