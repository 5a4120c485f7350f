import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { FingerprintRegular } from '@fluentui/react-icons/svg/fingerprint'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Passkey } from '#contracts/passkeys.ts'
import { ApiProblem } from '#web/api/call.ts'
import { supportsPasskeys } from '#web/entities/accounts/passkey-ceremony.ts'
import { PasswordDialog } from '#web/forms/password-dialog.tsx'
import { formatDateTime, formatLocalDate } from '#web/ui/dates.ts'
import { Panel } from '#web/ui/panel.tsx'
import { SecondaryText, TwoLineCell } from '#web/ui/text.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { LoadedSection } from '../sections/section-state.tsx'
import { SettingsList, SettingsRow } from '../sections/settings-grid.tsx'
import { AddPasskeyDialog } from './add-passkey-dialog.tsx'
import { passkeysQuery, usePasskeys } from './passkeys-api.ts'
import { twoFactorQuery } from './two-factor-api.ts'

const useStyles = makeStyles({
  text: { margin: 0, color: tokens.colorNeutralForeground2 },
  row: { padding: '8px 0' },
  passkey: { display: 'grid', gridTemplateColumns: '24px minmax(0, 1fr)', columnGap: '12px', alignItems: 'center' },
  icon: { fontSize: '20px' },
})

const describeUse = ({ addedAt, lastUsedAt }: Passkey) =>
  `Added ${formatLocalDate(addedAt)}, ${lastUsedAt === null ? 'not used yet' : `last used ${formatDateTime(lastUsedAt)}`}`

/** Passkeys of the user, with which signing in takes neither the password nor a code. */
export function PasskeysSection() {
  const styles = useStyles()
  const notify = useNotify()
  const query = useQuery(passkeysQuery)
  const { data: twoFactor } = useQuery(twoFactorQuery)
  const { remove } = usePasskeys()
  const [dialog, setDialog] = useState<'add' | { remove: Passkey } | null>(null)
  const isSupported = supportsPasskeys()
  const close = () => setDialog(null)

  async function removeAndNotify({ id: passkeyId, name }: Passkey, password: string): Promise<void> {
    await remove.mutateAsync({ passkeyId, password }).catch((error: unknown) => {
      // Another window was faster.
      if (!(error instanceof ApiProblem) || error.status !== 404) throw error
    })
    notify({ title: 'Passkey removed', body: name })
    close()
  }
  const add = (
    <Button size="small" appearance="subtle" disabled={twoFactor === undefined} onClick={() => setDialog('add')}>
      Add passkey
    </Button>
  )
  return (
    <Panel title="Passkeys" action={query.data && isSupported && add}>
      <LoadedSection query={query} subject="Your passkeys" loadingSubject="your passkeys" rows={1}>
        {(passkeys) => (
          <>
            {passkeys.length === 0 ? (
              <Text as="p" block className={styles.text}>
                Sign in with your fingerprint, your face or the PIN of your device, without password and code.
              </Text>
            ) : (
              <SettingsList label="Passkeys">
                {passkeys.map((passkey) => (
                  <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => setDialog({ remove: passkey })} />
                ))}
              </SettingsList>
            )}
            {!isSupported && <SecondaryText as="p">This browser does not support passkeys here.</SecondaryText>}
          </>
        )}
      </LoadedSection>
      {dialog === 'add' && (
        <AddPasskeyDialog
          needsCode={twoFactor?.isEnabled ?? false}
          onAdded={({ name }) => {
            notify({ title: 'Passkey added', body: name })
            close()
          }}
          onClose={close}
        />
      )}
      {dialog !== null && dialog !== 'add' && (
        <PasswordDialog
          title={`Remove the passkey ${dialog.remove.name}?`}
          reason="It no longer signs in. Delete it on your device as well. Sessions that began with it stay open: end them under Sessions."
          action="Remove"
          pendingAction="Removing..."
          needsCode={false}
          onConfirm={({ password }) => removeAndNotify(dialog.remove, password)}
          onClose={close}
        />
      )}
    </Panel>
  )
}

function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  const styles = useStyles()
  return (
    <SettingsRow className={styles.row}>
      <div className={styles.passkey}>
        <FingerprintRegular className={styles.icon} aria-hidden />
        <TwoLineCell top={passkey.name} bottom={describeUse(passkey)} wrap strong />
      </div>
      <Button size="small" aria-label={`Remove ${passkey.name}`} onClick={onRemove}>
        Remove
      </Button>
    </SettingsRow>
  )
}
