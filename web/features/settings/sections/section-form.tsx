import { Button, makeStyles } from '@fluentui/react-components'
import type { ReactNode } from 'react'
import type { useConflictForm } from '#web/forms/use-conflict-form.ts'
import { ConflictNotice } from '#web/forms/conflict-notice.tsx'
import { useSubmitOnce } from '#web/forms/use-submit-once.ts'
import { SignedOutNotice } from '#web/forms/signed-out-notice.tsx'
import { SettingsFooter } from './settings-grid.tsx'
import { useReportUnsavedChanges } from './unsaved-changes.tsx'

const useStyles = makeStyles({ notice: { marginTop: '16px' } })

type SectionFormProps = {
  form: ReturnType<typeof useConflictForm>
  /** What the form calls each field, and what is changed: "the fees". */
  words: Record<string, string>
  what: string
  action: string
  children: ReactNode
}

/** Form of a section, which is saved independently of the others and keeps unsaved input. */
export function SectionForm({ form, words, what, action, children }: SectionFormProps) {
  const styles = useStyles()
  const submit = useSubmitOnce(form.submit())
  useReportUnsavedChanges(form.dirty)
  const { dirty, saving, conflict } = form
  return (
    <form onSubmit={submit} noValidate data-unsaved={dirty || undefined}>
      {conflict && (
        <ConflictNotice
          key={conflict.key}
          overtaken={conflict.overtaken}
          taken={conflict.taken}
          onChoose={conflict.onChoose}
          words={words}
          what={what}
        />
      )}
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
