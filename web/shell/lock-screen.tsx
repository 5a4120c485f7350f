import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
  Text,
  tokens,
} from '@fluentui/react-components'
import { FingerprintRegular } from '@fluentui/react-icons/svg/fingerprint'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { type CurrentUser, login } from '#contracts/accounts.ts'
import { ApiProblem, call, errorMessage } from '#web/api/call.ts'
import { announceToOtherWindows } from '#web/api/session-channel.ts'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'
import { describePasskeyError, signInWithPasskey, supportsPasskeys } from '#web/entities/accounts/passkey-ceremony.ts'
import { CodeField } from '#web/forms/account-fields.tsx'
import { TextField } from '#web/forms/text-field.tsx'
import { useSubmitOnce } from '#web/forms/use-submit-once.ts'
import { formatName } from '#web/ui/format.ts'
import { useModalFocus } from '#web/ui/focus-manager.tsx'
import { takeSessionTurn } from './session-turn.ts'

const useStyles = makeStyles({
  backdrop: { backgroundColor: tokens.colorNeutralBackground2 },
  surface: { maxWidth: '440px', '@media screen and (max-width: 480px)': { maxWidth: 'calc(100vw - 40px)' } },
  body: { rowGap: '12px' },
  content: { display: 'grid', rowGap: '14px' },
  failed: { color: tokens.colorStatusDangerForeground1 },
})

type LockScreenProps = {
  user: CurrentUser
  onUnlocked: () => void
  /** The user leaves instead, and what was not saved with them. */
  onSignOut: () => void
}

const isSameAccess = (a: CurrentUser, b: CurrentUser) =>
  a.id === b.id && a.practiceId === b.practiceId && a.permissions.join() === b.permissions.join()

/** Asks for the user's password or a passkey above the page, which `base.css` hides. Escape does not close it. */
export function LockScreen({ user, onUnlocked, onSignOut }: LockScreenProps) {
  const styles = useStyles()
  const queries = useQueryClient()
  const [needsCode, setNeedsCode] = useState(false)
  const { control, handleSubmit, formState, clearErrors, setError, setFocus } = useForm({
    defaultValues: { password: '', code: '' },
  })
  useModalFocus()
  useEffect(() => {
    const title = document.title
    document.title = 'Everchart is locked'
    return () => {
      document.title = title
    }
  }, [])
  // After the effect in which Fluent focuses the first control.
  useEffect(() => {
    const timer = setTimeout(() => setFocus(needsCode ? 'code' : 'password'))
    return () => clearTimeout(timer)
  }, [setFocus, needsCode])

  const unlock = (signedIn: CurrentUser) => {
    announceToOtherWindows({ kind: 'signed-in', userId: signedIn.id, practiceId: signedIn.practiceId })
    // The address may be another person's since, and the role another one: the page may show what they must not see.
    if (!isSameAccess(signedIn, user)) return location.reload()
    queries.setQueryData(currentUserQuery.queryKey, signedIn)
    onUnlocked()
  }
  const byPasskey = useMutation({
    mutationFn: () => signInWithPasskey(user.email, takeSessionTurn),
    onMutate: () => clearErrors(),
    onSuccess: unlock,
    onError: (error) => setError('root', { message: describePasskeyError(error, 'use') }),
  })
  const send = handleSubmit(async ({ password, code }) => {
    if (password === '') return setError('password', { message: 'Please enter your password' }, { shouldFocus: true })
    if (needsCode && code === '') return setError('code', { message: 'Please enter the code' }, { shouldFocus: true })
    try {
      const body = { email: user.email, password, ...(needsCode ? { code } : {}) }
      unlock(await takeSessionTurn(() => call(login, { body })))
    } catch (error) {
      const problem = error instanceof ApiProblem ? error : null
      if (problem?.code === 'two-factor-required') return setNeedsCode(true)
      if (problem?.code === 'invalid-code') setError('code', { message: problem.detail }, { shouldFocus: true })
      // Refused as too short, or checked and wrong.
      else if (
        problem?.code === 'invalid-credentials' ||
        problem?.problem.errors.some(({ path }) => path === 'password')
      )
        setError('password', { message: 'This is not your password' }, { shouldFocus: true })
      else setError('root', { message: problem?.detail ?? errorMessage(error) })
    }
  })
  const submit = useSubmitOnce(send)

  return (
    <Dialog open modalType="alert">
      <DialogSurface className={styles.surface} backdrop={{ className: styles.backdrop }} data-lock-screen>
        <form onSubmit={submit} noValidate>
          <DialogBody className={styles.body}>
            <DialogTitle>Everchart is locked</DialogTitle>
            <DialogContent className={styles.content}>
              <Text>
                It was not used in this browser for a while. What {formatName(user)} was doing is kept; signing out
                discards what was not saved.
              </Text>
              {/* For password managers. */}
              <input type="email" autoComplete="username" value={user.email} readOnly hidden />
              <TextField
                control={control}
                name="password"
                label={`Password of ${user.email}`}
                type="password"
                autoComplete="current-password"
                aria-required
              />
              {needsCode && <CodeField control={control} />}
              {user.hasPasskey && supportsPasskeys() && (
                <Button
                  icon={<FingerprintRegular />}
                  disabledFocusable={byPasskey.isPending}
                  onClick={() => byPasskey.mutate()}
                >
                  {byPasskey.isPending ? 'Waiting for your device...' : 'Unlock with a passkey'}
                </Button>
              )}
              {formState.errors.root?.message && (
                <Text className={styles.failed} role="alert">
                  {formState.errors.root.message}
                </Text>
              )}
            </DialogContent>
            <DialogActions>
              <Button onClick={onSignOut}>Sign out</Button>
              <Button appearance="primary" type="submit" disabledFocusable={formState.isSubmitting}>
                {formState.isSubmitting ? 'Unlocking...' : 'Unlock'}
              </Button>
            </DialogActions>
          </DialogBody>
        </form>
      </DialogSurface>
    </Dialog>
  )
}
