import { Button, makeStyles } from '@fluentui/react-components'
import type { ReactNode } from 'react'
import type { Conflict } from '#web/forms/use-conflict-form.ts'
import type { SubmitHandler } from '#web/forms/use-contract-form.ts'
import { ConflictNotice } from '#web/entities/practices/conflict-notice.tsx'
import { useSubmitOnce } from '#web/forms/use-submit-once.ts'
import { SignedOutNotice } from '#web/forms/signed-out-notice.tsx'
import { keepFocusBeside } from '#web/ui/use-focus-return.ts'
import { SettingsFooter } from './settings-grid.tsx'
import { useReportUnsavedChanges } from './unsaved-changes.tsx'

const useStyles = makeStyles({ notice: { marginTop: '16px' } })

type SectionFormProps<Name extends string> = {
  form: {
    formState: { isDirty: boolean; isSubmitting: boolean }
    signedOut: boolean
    conflict: Conflict<Name> | null
    submit: () => SubmitHandler
    discard: () => void
  }
  /** Field labels; `subject` names the content in the conflict notice: "the fees". */
  labels: Record<NoInfer<Name>, string>
  subject: string
  action: string
  children: ReactNode
}

/** Form of a section, which is saved independently of the others and keeps unsaved input. */
export function SectionForm<Name extends string>({ form, labels, subject, action, children }: SectionFormProps<Name>) {
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
          <Button
            disabledFocusable={saving}
            onClick={({ currentTarget }) => {
              keepFocusBeside(currentTarget)
              form.discard()
            }}
          >
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
