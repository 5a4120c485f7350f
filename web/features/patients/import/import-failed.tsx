import { formatCount, formatNumber } from '#web/ui/format.ts'
import { Button, makeStyles, tokens } from '@fluentui/react-components'
import { ArrowClockwiseRegular } from '@fluentui/react-icons/svg/arrow-clockwise'
import { ErrorCircleFilled } from '@fluentui/react-icons/svg/error-circle'
import type { ImportStatus } from '#contracts/patient-import.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { SecondaryText } from '#web/ui/text.tsx'
import { useResumeImport } from './import-api.ts'
import { formatPatientCount } from './import-labels.ts'
import { UndoImportButton } from './undo-import-button.tsx'

const useStyles = makeStyles({
  body: {
    padding: '28px 20px',
    display: 'grid',
    rowGap: '20px',
    '@media (max-width: 639px)': { padding: '20px 12px' },
  },
  head: { display: 'grid', gridTemplateColumns: '28px minmax(0, 1fr)', columnGap: '12px', alignItems: 'start' },
  error: { color: tokens.colorStatusDangerForeground1, marginTop: '2px' },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeBase600,
    lineHeight: tokens.lineHeightBase600,
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.015em',
  },
  text: { display: 'grid', rowGap: '4px' },
  actions: { display: 'grid', rowGap: '16px', justifyItems: 'start' },
  retry: { display: 'grid', rowGap: '8px', justifyItems: 'start' },
})

/** A stopped import: its state, and the buttons to resume or undo it. */
export function ImportFailed({ status }: { status: ImportStatus }) {
  const styles = useStyles()
  const resume = useResumeImport()
  const { importId, failedWhile, done, total, created } = status
  const isUndoing = failedWhile === 'undoing'
  return (
    <div className={styles.body} role="alert">
      <div className={styles.head}>
        <ErrorCircleFilled className={styles.error} fontSize={28} aria-hidden />
        <div className={styles.text}>
          <h2 className={styles.title}>
            {isUndoing
              ? 'Undoing the import stopped before it was finished'
              : 'The import stopped before it was finished'}
          </h2>
          <SecondaryText>
            {isUndoing
              ? 'Some of its patients may still be in the list. You can try again at any time.'
              : `${formatNumber(done)} of ${formatCount(total, 'row')} ${done === 1 ? 'was' : 'were'} processed, ${formatPatientCount(created)} added. You can try again at any time: no patient is added twice.`}
          </SecondaryText>
        </div>
      </div>
      <div className={styles.actions}>
        <div className={styles.retry}>
          <Button
            appearance="primary"
            icon={<ArrowClockwiseRegular />}
            disabledFocusable={resume.isPending}
            onClick={() => !resume.isPending && resume.mutate(importId)}
          >
            {resume.isPending ? 'Trying again...' : 'Try again'}
          </Button>
          {resume.error && (
            <SecondaryText>
              {resume.error instanceof ApiProblem ? resume.error.detail : errorMessage(resume.error)}
            </SecondaryText>
          )}
        </div>
        {!isUndoing && <UndoImportButton status={status} question="No longer needed?" />}
      </div>
    </div>
  )
}
