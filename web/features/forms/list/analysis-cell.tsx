import { Button, makeStyles, Spinner, tokens } from '@fluentui/react-components'
import { CheckmarkCircle16Filled } from '@fluentui/react-icons/svg/checkmark-circle'
import { Clock16Regular } from '@fluentui/react-icons/svg/clock'
import { ErrorCircle16Regular } from '@fluentui/react-icons/svg/error-circle'
import { Warning16Filled } from '@fluentui/react-icons/svg/warning'
import type { Form } from '#contracts/forms.ts'
import { isClinicalForm } from '#contracts/values/forms.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { SecondaryText } from '#web/ui/text.tsx'
import { useAnalyzeForm } from '../api.ts'
import { formatFindingCount, formatFormName } from '../labels.ts'

const useStyles = makeStyles({
  analysis: {
    display: 'inline-flex',
    alignItems: 'center',
    flexWrap: 'wrap',
    columnGap: '6px',
    fontSize: tokens.fontSizeBase200,
    verticalAlign: 'middle',
  },
  done: { color: tokens.colorStatusSuccessForeground1, flexShrink: 0 },
  failed: { color: tokens.colorStatusDangerForeground1, flexShrink: 0 },
  waiting: { color: tokens.colorNeutralForeground3, flexShrink: 0 },
  request: {
    minWidth: 0,
    minHeight: '24px',
    padding: '0 2px',
    color: tokens.colorBrandForegroundLink,
    whiteSpace: 'nowrap',
  },
})

const states: Record<Form['analysisState'], string> = {
  complete: 'Complete',
  running: 'Processing',
  none: 'Processing',
  failed: 'Analysis failed',
  skipped: 'Not analyzed',
}

/** State of the analysis of a form, with the button that requests it. */
export function AnalysisCell({ form }: { form: Form }) {
  const styles = useStyles()
  const mayAnalyze = useHasPermission('clinical:write')
  const { analyze, isAnalyzing } = useAnalyzeForm()
  const { analysisState } = form
  return (
    <span className={styles.analysis}>
      <AnalysisIcon state={isAnalyzing ? 'running' : analysisState} />
      <span>{isAnalyzing ? states.running : states[analysisState]}</span>
      {analysisState === 'complete' && <Findings form={form} />}
      {analysisState !== 'complete' && mayAnalyze && (
        <Button
          size="small"
          appearance="transparent"
          className={styles.request}
          aria-label={`Analyze now, ${formatFormName(form)}`}
          disabledFocusable={isAnalyzing}
          onClick={() => analyze(form)}
        >
          Analyze now
        </Button>
      )}
    </span>
  )
}

function AnalysisIcon({ state }: { state: Form['analysisState'] }) {
  const styles = useStyles()
  if (state === 'complete') return <CheckmarkCircle16Filled className={styles.done} aria-hidden />
  if (state === 'failed') return <ErrorCircle16Regular className={styles.failed} aria-hidden />
  if (state === 'running') return <Spinner size="extra-tiny" aria-hidden />
  return <Clock16Regular className={styles.waiting} aria-hidden />
}

/** Number of findings, for users who may see them. */
function Findings({ form: { formType, findingCount, hasUrgentFinding } }: { form: Form }) {
  const styles = useStyles()
  const isVisible = useHasPermission('clinical:read') || !isClinicalForm(formType)
  if (!isVisible) return null
  return (
    <>
      <SecondaryText>{formatFindingCount(findingCount)}</SecondaryText>
      {hasUrgentFinding && <Warning16Filled className={styles.failed} aria-label="One is urgent" />}
    </>
  )
}
