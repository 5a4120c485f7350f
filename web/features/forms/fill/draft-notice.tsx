import { Link, makeStyles, Spinner, Text, tokens } from '@fluentui/react-components'
import { CheckmarkCircle16Regular } from '@fluentui/react-icons/svg/checkmark-circle'
import { CloudOffRegular } from '@fluentui/react-icons/svg/cloud-off'
import { DocumentProhibitedRegular } from '@fluentui/react-icons/svg/document-prohibited'
import { LockClosedRegular } from '@fluentui/react-icons/svg/lock-closed'
import { Warning16Regular } from '@fluentui/react-icons/svg/warning'
import type { Form } from '#contracts/forms.ts'
import type { ApiProblem } from '#web/api/call.ts'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import type { DraftState } from './draft-queue.ts'

const useStyles = makeStyles({
  indicator: {
    display: 'inline-flex',
    alignItems: 'center',
    columnGap: '6px',
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    color: tokens.colorNeutralForeground2,
  },
  saved: { color: tokens.colorStatusSuccessForeground1 },
  unsaved: { color: tokens.colorStatusWarningForeground1 },
})

/** Shows whether what was typed is saved. */
export function DraftIndicator({ state }: { state: DraftState }) {
  const styles = useStyles()
  const isUnsaved = state === 'failed' || state === 'refused' || state === 'stopped'
  return (
    <span className={styles.indicator} role="status">
      {state === 'saved' && <CheckmarkCircle16Regular className={styles.saved} aria-hidden />}
      {state === 'saving' && <Spinner size="extra-tiny" aria-hidden />}
      {isUnsaved && <Warning16Regular className={styles.unsaved} aria-hidden />}
      {state === 'saved' ? 'Saved' : state === 'saving' ? 'Saving...' : 'Not saved yet'}
    </span>
  )
}

type DraftNoticeProps = { form: Form; state: DraftState; failure: ApiProblem | null }

/** Explains why answers are not saved, and what happens to them. It never takes the focus from the input. */
export function DraftNotice({ form, state, failure }: DraftNoticeProps) {
  if (state === 'stopped')
    return (
      <Notice
        tone="error"
        icon={DocumentProhibitedRegular}
        title="Your last answers cannot be saved"
        role="alert"
        actions={
          <LinkButton to="/forms/$formId" params={{ formId: form.id }} size="small">
            Open the form
          </LinkButton>
        }
      >
        <Text>{failure?.detail ?? 'The form was changed in the meantime.'}</Text>
      </Notice>
    )
  if (state !== 'failed') return null
  if (failure?.status === 401)
    return (
      <Notice tone="warning" icon={LockClosedRegular} title="You were signed out" role="alert">
        <Text>
          Nothing you entered is lost.{' '}
          <Link href="/auth" target="_blank" inline>
            Sign in from a new tab
          </Link>
          , then come back here: it is saved by itself.
        </Text>
      </Notice>
    )
  return (
    <Notice tone="warning" icon={CloudOffRegular} title="Not saved yet" role="alert">
      <Text>
        {failure?.detail ?? 'Something went wrong.'} Nothing you entered is lost: it is saved as soon as possible.
      </Text>
    </Notice>
  )
}
