import { Field, Input, makeStyles } from '@fluentui/react-components'
import { useState } from 'react'
import type { Provider } from '#contracts/providers.ts'
import { ApiProblem, wordsOf } from '#web/app/call.ts'
import { FormDialog } from '#web/app/form-dialog.tsx'
import { useNotify } from '#web/app/toasts.tsx'
import { useAddProvider } from './api.ts'

const useStyles = makeStyles({ fields: { display: 'grid', rowGap: '14px' } })

/** Adds somebody who sees patients, with or without a login of their own. */
export function AddProviderDialog({
  onClose,
  onAdded,
}: {
  onClose: () => void
  onAdded: (provider: Provider) => void
}) {
  const styles = useStyles()
  const notify = useNotify()
  const add = useAddProvider()
  const [name, setName] = useState('')
  const [title, setTitle] = useState('')
  const [tried, setTried] = useState(false)
  const problem = add.error instanceof ApiProblem ? add.error.problem : null
  const messageOf = (path: string) => problem?.errors.find((each) => each.path === path)?.message
  const send = async () => {
    setTried(true)
    if (name.trim() === '') return
    try {
      const provider = await add.mutateAsync({ name, ...(title.trim() ? { title } : {}) })
      notify({ title: 'Provider added', body: provider.name })
      onAdded(provider)
    } catch (error) {
      notify({ title: 'Failed to add provider', body: wordsOf(error), intent: 'error' })
    }
  }
  return (
    <FormDialog
      title="Add Provider"
      action="Add provider"
      pendingAction="Adding..."
      pending={add.isPending}
      dirty={!add.isSuccess && (name !== '' || title !== '')}
      signedOut={problem?.status === 401}
      onSubmit={(event) => {
        event.preventDefault()
        return send()
      }}
      onClose={onClose}
    >
      <div className={styles.fields}>
        <Field
          label="Name"
          required
          validationMessage={tried && name.trim() === '' ? 'Please enter a name' : messageOf('name')}
        >
          <Input
            autoFocus
            autoComplete="off"
            value={name}
            onChange={(_, { value }) => setName(value)}
            maxLength={100}
          />
        </Field>
        <Field label="Title" hint="As on the door: MD, Nurse practitioner" validationMessage={messageOf('title')}>
          <Input autoComplete="off" value={title} onChange={(_, { value }) => setTitle(value)} maxLength={60} />
        </Field>
      </div>
    </FormDialog>
  )
}
