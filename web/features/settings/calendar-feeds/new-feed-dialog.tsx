import { makeStyles, Text, tokens } from '@fluentui/react-components'
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { createCalendarFeed } from '#contracts/calendar-feeds.ts'
import type { Provider } from '#contracts/providers.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { CopyField } from '#web/ui/copy-field.tsx'
import { DialogFrame } from '#web/ui/dialog-frame.tsx'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { showFieldErrors } from '#web/forms/form-errors.ts'
import { TextField } from '#web/forms/text-field.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { useCreateFeed } from '../api.ts'

const useStyles = makeStyles({
  content: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', rowGap: '16px' },
  instructions: { margin: 0, display: 'grid', rowGap: '10px' },
  program: { fontWeight: tokens.fontWeightSemibold },
  how: { margin: 0, color: tokens.colorNeutralForeground2 },
})

/** Instructions for each calendar app. */
const calendarInstructions = [
  ['Outlook', 'Open the calendar, choose Add calendar, then Subscribe from web, and paste the address.'],
  ['Google', 'In a browser, choose the plus sign beside Other calendars, then From URL, and paste the address.'],
  ['Apple', 'In Calendar, choose File, then New Calendar Subscription, and paste the address.'],
] as const

/** Creates a private address and shows it once. */
export function NewFeedDialog({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const [path, setPath] = useState<string>()
  return path === undefined ? (
    <FeedLabelForm provider={provider} onClose={onClose} onCreated={setPath} />
  ) : (
    <FeedAddress provider={provider} address={location.origin + path} onClose={onClose} />
  )
}

type FeedLabelFormProps = { provider: Provider; onClose: () => void; onCreated: (path: string) => void }

function FeedLabelForm({ provider, onClose, onCreated }: FeedLabelFormProps) {
  const notify = useNotify()
  const create = useCreateFeed()
  const { control, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(createCalendarFeed.body, undefined, { raw: true }),
    defaultValues: { providerId: provider.id, label: '' },
  })
  const send = handleSubmit(async (body) => {
    try {
      onCreated((await create.mutateAsync(body)).path)
    } catch (error) {
      showFieldErrors(setError)(error)
      notify({ title: 'Failed to create the address', body: errorMessage(error), intent: 'error' })
    }
  })
  return (
    <FormDialog
      title={`New calendar address for ${provider.name}`}
      action="Create address"
      pendingAction="Creating..."
      pending={create.isPending}
      dirty={formState.isDirty && !create.isSuccess}
      signedOut={create.error instanceof ApiProblem && create.error.status === 401}
      onSubmit={send}
      onClose={onClose}
    >
      <TextField
        control={control}
        name="label"
        label="Where will it be used?"
        hint="Helps you find it when you want to revoke it, for example Phone or Outlook at home"
        maxLength={60}
        autoComplete="off"
        autoFocus
        required
      />
    </FormDialog>
  )
}

function FeedAddress({ provider, address, onClose }: { provider: Provider; address: string; onClose: () => void }) {
  const styles = useStyles()
  return (
    <DialogFrame
      title={`The calendar address of ${provider.name}`}
      modalType="alert"
      closeLabel="Done"
      classNames={{ content: styles.content }}
      onClose={onClose}
    >
      <Text>Copy it now. It will not be shown again. Treat it like a password.</Text>
      <CopyField label="Address" value={address} />
      <dl className={styles.instructions}>
        {calendarInstructions.map(([app, text]) => (
          <div key={app}>
            <dt className={styles.program}>{app}</dt>
            <dd className={styles.how}>{text}</dd>
          </div>
        ))}
      </dl>
    </DialogFrame>
  )
}
