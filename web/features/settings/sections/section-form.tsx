import { Button, makeStyles } from '@fluentui/react-components'
import type { ReactNode } from 'react'
import type { TextValues } from '#web/forms/text-form.ts'
import type { Conflict } from '#web/forms/use-conflict-form.ts'
import type { ContractForm, SubmitHandler } from '#web/forms/use-contract-form.ts'
import { ConflictNotice } from '#web/forms/conflict-notice.tsx'
import { useSubmitOnce } from '#web/forms/use-submit-once.ts'
import { SignedOutNotice } from '#web/forms/signed-out-notice.tsx'
import { SettingsFooter } from './settings-grid.tsx'
import { useReportUnsavedChanges } from './unsaved-changes.tsx'

const useStyles = makeStyles({ notice: { marginTop: '16px' } })

type SectionFormProps = {
  form: Pick<ContractForm<TextValues>, 'formState' | 'signedOut'> & {
    conflict: Conflict<string> | null
    submit: () => SubmitHandler
    discard: () => void
  }
  /** Field labels; `subject` names the content in the conflict notice: "the fees". */
  labels: Record<string, string>
  subject: string
  action: string
  children: ReactNode
}

/** Form of a section, which is saved independently of the others and keeps unsaved input. */
export function SectionForm({ form, labels, subject, action, children }: SectionFormProps) {
  const styles = useStyles()
  const submit = useSubmitOnce(form.submit())
  const { conflict } = form
  const { isDirty: dirty, isSubmitting: saving } = form.formState
  useReportUnsavedChanges(dirty)
  return (
    <form onSubmit={submit} noValidate data-unsaved={dirty || undefined}>
      {conflict && <ConflictNotice key={conflict.id} {...conflict} labels={labels} subject={subject} />}
      {children}
      {form.signedOut && !saving && (
        <div className={styles.notice}>
          <SignedOutNotice />
        </div>
      )}
      <SettingsFooter>
        {dirty && (
          <Button onClick={form.discard} disabledFocusable={saving}>
            Discard changes
          </Button>
        )}
        <Button
          type="submit"
          appearance={dirty ? 'primary' : 'secondary'}
          disabledFocusable={saving || (!dirty && !conflict)}
        >
          {saving ? 'Saving...' : action}
        </Button>
      </SettingsFooter>
    </form>
  )
}
