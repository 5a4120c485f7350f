import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormLink } from '#contracts/form-links.ts'
import type { Form } from '#contracts/forms.ts'
import { errorMessage } from '#web/api/call.ts'
import { type FormatInstant, useFormatInstant } from '#web/entities/practices/practice-time.ts'
import { CopyField } from '#web/ui/copy-field.tsx'
import { DialogFrame } from '#web/ui/dialog-frame.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { formatFormName } from '../labels.ts'
import { formLinkQuery, useCreateFormLink, useRevokeFormLink } from './link-api.ts'

const useStyles = makeStyles({
  content: { display: 'grid', rowGap: '16px' },
  qr: {
    justifySelf: 'center',
    width: '200px',
    height: '200px',
    // Cameras read it in dark mode, too.
    backgroundColor: 'white',
    borderRadius: tokens.borderRadiusMedium,
  },
  note: { color: tokens.colorNeutralForeground2 },
})

/** Describes the newest link, whose address is not stored. */
function describeLink({ state, expiresAt }: FormLink, formatInstant: FormatInstant): string {
  const until = formatInstant(expiresAt)
  const texts: Record<FormLink['state'], string> = {
    open: `A link was created and not used yet. It works until ${until}.`,
    used: `The patient has opened the form with the link. It works until ${until}.`,
    closed: 'The last link was closed after three wrong dates of birth.',
    revoked: 'The last link was withdrawn.',
    expired: `The last link expired on ${until}.`,
  }
  return texts[state]
}

/** A link that was just created; its address is not shown again. */
export type NewLink = { url: string; expiresAt: string; qr: string }
type LinkDialogProps = {
  form: Pick<Form, 'id' | 'title' | 'patientName'>
  initial?: NewLink | null
  onClose: () => void
}

/** Creates, shows and withdraws the link with which a patient fills in a form. */
export function LinkDialog({ form, initial = null, onClose }: LinkDialogProps) {
  const styles = useStyles()
  const notify = useNotify()
  const formatInstant = useFormatInstant()
  const [shown, setShown] = useState<NewLink | null>(initial)
  const link = useQuery(formLinkQuery(form.id))
  const create = useCreateFormLink()
  const revoke = useRevokeFormLink()
  const isPending = create.isPending || revoke.isPending
  const current = link.data
  const works = current?.state === 'open' || current?.state === 'used'
  const failure = create.error ?? revoke.error ?? link.error
  const createLink = () => {
    if (isPending) return
    revoke.reset()
    create.mutate(form.id, { onSuccess: setShown })
  }
  const withdraw = () => {
    if (isPending) return
    create.reset()
    revoke.mutate(form.id, {
      onSuccess: () => {
        setShown(null)
        notify({ title: 'Link withdrawn', body: formatFormName(form) })
      },
    })
  }
  return (
    <DialogFrame
      title="Let the patient fill it in"
      closeLabel="Close"
      pending={isPending}
      failure={failure ? errorMessage(failure) : null}
      classNames={{ content: styles.content }}
      onClose={onClose}
      actions={
        <>
          {(works || shown) && (
            <Button onClick={withdraw} disabledFocusable={isPending}>
              Withdraw link
            </Button>
          )}
          {!shown && (
            <Button appearance="primary" onClick={createLink} disabledFocusable={isPending}>
              {create.isPending ? 'Creating...' : works ? 'Create a new link' : 'Create link'}
            </Button>
          )}
        </>
      }
    >
      {shown ? (
        <>
          <Text>
            Send this link to {form.patientName}, or let them scan the code. It opens this form only, asks for the date
            of birth first, and works until {formatInstant(shown.expiresAt)}.
          </Text>
          <CopyField label="Link" value={shown.url} />
          <img
            className={styles.qr}
            src={`data:image/svg+xml,${encodeURIComponent(shown.qr)}`}
            alt={`QR code of the link to ${formatFormName(form)}`}
          />
          <Text className={styles.note}>The link is shown only now. A new one replaces it.</Text>
        </>
      ) : (
        <>
          <Text>
            {form.patientName} answers {form.title} on a phone or computer, without an account. The page asks for the
            date of birth first; three wrong ones close the link.
          </Text>
          {current && <Text className={styles.note}>{describeLink(current, formatInstant)}</Text>}
        </>
      )}
    </DialogFrame>
  )
}
