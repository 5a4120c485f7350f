import { Button } from '@fluentui/react-components'
import { FingerprintRegular } from '@fluentui/react-icons/svg/fingerprint'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { CurrentUser } from '#contracts/accounts.ts'
import { beginSession } from '#web/entities/accounts/begin-session.ts'
import { describePasskeyError, signInWithPasskey, supportsPasskeys } from '#web/entities/accounts/passkey-ceremony.ts'

type PasskeySignInProps = {
  /** The account whose password was right and whose code is asked; undefined before. */
  email: string | undefined
  onSignedIn: (user: CurrentUser) => void
  /** Receives why it failed; an empty text when it begins. */
  onFailed: (message: string) => void
}

/** Button that signs in with a passkey, where the browser supports them. */
export function PasskeySignIn({ email, onSignedIn, onFailed }: PasskeySignInProps) {
  const queries = useQueryClient()
  const signIn = useMutation({
    mutationFn: () => signInWithPasskey(email),
    onMutate: () => onFailed(''),
    onSuccess: (user) => {
      beginSession(queries, user)
      onSignedIn(user)
    },
    onError: (error) => onFailed(describePasskeyError(error, 'use')),
  })
  if (!supportsPasskeys()) return null
  const label = email === undefined ? 'Sign in with a passkey' : 'Use a passkey instead'
  return (
    <Button
      size="large"
      appearance="subtle"
      icon={<FingerprintRegular />}
      disabledFocusable={signIn.isPending}
      onClick={() => signIn.mutate()}
    >
      {signIn.isPending ? 'Waiting for your device...' : label}
    </Button>
  )
}
