import { Button, makeStyles, mergeClasses, Spinner, Text, tokens } from '@fluentui/react-components'
import { ArrowClockwiseRegular } from '@fluentui/react-icons/svg/arrow-clockwise'
import { ClockArrowDownloadRegular } from '@fluentui/react-icons/svg/clock-arrow-download'
import { Sparkle16Regular } from '@fluentui/react-icons/svg/sparkle'
import { type ReactNode, useId } from 'react'
import type { Form, FormAnalysis } from '#contracts/forms.ts'
import type { FormScore } from '#contracts/values/forms.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { useFormatInstant } from '#web/entities/practices/practice-time.ts'
import { Notice } from '#web/ui/notice.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { useAnalyzeForm } from '../api.ts'
import { describeAnalyst, formatFindingCount } from '../labels.ts'
import { FindingCard } from './finding-card.tsx'
import { useReviewStyles } from './review-styles.ts'

const useStyles = makeStyles({
  head: {
    display: 'flex',
    alignItems: 'center',
    columnGap: '12px',
    rowGap: '4px',
    flexWrap: 'wrap',
    padding: '14px 20px 10px',
  },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
    fontWeight: tokens.fontWeightSemibold,
  },
  note: {
    marginLeft: 'auto',
    display: 'inline-flex',
    alignItems: 'center',
    columnGap: '6px',
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
  notice: { margin: '0 12px 8px' },
  summary: { margin: 0, padding: '0 20px 12px', overflowWrap: 'anywhere' },
  list: { listStyleType: 'none', margin: 0, padding: '0 12px', display: 'grid', rowGap: '8px' },
  section: { padding: '12px 20px 0', breakInside: 'avoid' },
  sectionTitle: {
    margin: '0 0 4px',
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    fontWeight: tokens.fontWeightSemibold,
  },
  lines: { margin: 0, paddingLeft: '18px', display: 'grid', rowGap: '4px', overflowWrap: 'anywhere' },
  score: { display: 'flex', flexWrap: 'wrap', columnGap: '8px', alignItems: 'baseline' },
  foot: { padding: '12px 20px 16px' },
  state: {
    display: 'grid',
    justifyItems: 'start',
    rowGap: '8px',
    padding: '0 20px 20px',
    color: tokens.colorNeutralForeground2,
  },
  running: { display: 'inline-flex', alignItems: 'center', columnGap: '8px' },
})

type AnalysisPanelProps = {
  form: Form
  /** Numbers of the findings that rest on words which are not in the answers any more. */
  stale: ReadonlySet<number>
  lit: number | null
  onLight: (finding: number | null) => void
}

/** Panel with what was found in the answers. Each finding quotes the words that it rests on; a person decides what becomes of it. */
export function AnalysisPanel({ form, stale, lit, onLight }: AnalysisPanelProps) {
  const styles = useStyles()
  const { panel, scrolling } = useReviewStyles()
  const { aiAnalysis } = form
  const titleId = useId()
  return (
    // Scrolls with the arrow keys when it has the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={mergeClasses(panel, scrolling)} aria-labelledby={titleId} tabIndex={0}>
      <div className={styles.head}>
        <h2 id={titleId} className={styles.title}>
          AI Analysis
        </h2>
        {aiAnalysis && <SecondaryText>{formatFindingCount(aiAnalysis.findings.length)}</SecondaryText>}
        {aiAnalysis && (
          <span className={styles.note}>
            <Sparkle16Regular aria-hidden />
            {describeAnalyst(aiAnalysis)}
          </span>
        )}
      </div>
      {aiAnalysis?.isStale && <StaleNotice form={form} count={stale.size} />}
      {aiAnalysis ? (
        <Analysis analysis={aiAnalysis} stale={stale} lit={lit} onLight={onLight} />
      ) : (
        <NoAnalysis form={form} />
      )}
    </section>
  )
}

/** Button that requests an analysis, for users who may. */
function AnalyzeButton({ form, label }: { form: Form; label: string }) {
  const { screenOnly } = useReviewStyles()
  const mayAnalyze = useHasPermission('clinical:write')
  const { analyze, isAnalyzing } = useAnalyzeForm()
  const isRunning = isAnalyzing || form.analysisState === 'running'
  if (!mayAnalyze) return null
  return (
    <Button
      size="small"
      className={screenOnly}
      icon={isRunning ? <Spinner size="extra-tiny" /> : <ArrowClockwiseRegular />}
      disabledFocusable={isAnalyzing}
      onClick={() => analyze(form)}
    >
      {isRunning ? 'Analyzing...' : label}
    </Button>
  )
}

const describeStale = (count: number) =>
  count === 0
    ? 'The findings still rest on words of the answers.'
    : count === 1
      ? 'One finding rests on the old words, the others stand.'
      : `${count} findings rest on the old words, the others stand.`

function StaleNotice({ form, count }: { form: Form; count: number }) {
  return (
    <Notice
      className={useStyles().notice}
      tone="warning"
      icon={ClockArrowDownloadRegular}
      title="An answer changed after this analysis"
      role="status"
      actions={<AnalyzeButton form={form} label="Analyze again" />}
    >
      <Text>{describeStale(count)}</Text>
    </Notice>
  )
}

const emptyTexts: Record<Form['analysisState'], string> = {
  none: 'These answers have not been analyzed yet.',
  running: 'The answers are being analyzed. The result appears here.',
  failed: 'The analysis failed. The answers are not affected.',
  skipped: 'These answers were not analyzed: your practice has switched off that forms are analyzed by themselves.',
  complete: 'The analysis is shown to clinical staff.',
}

function NoAnalysis({ form }: { form: Form }) {
  const styles = useStyles()
  const { analysisState } = form
  return (
    <div className={styles.state} role="status">
      <span className={styles.running}>
        {analysisState === 'running' && <Spinner size="extra-tiny" aria-hidden />}
        <Text>{emptyTexts[analysisState]}</Text>
      </span>
      {analysisState !== 'complete' && <AnalyzeButton form={form} label="Analyze now" />}
    </div>
  )
}

function Analysis({ analysis, stale, lit, onLight }: Omit<AnalysisPanelProps, 'form'> & { analysis: FormAnalysis }) {
  const styles = useStyles()
  const formatInstant = useFormatInstant()
  const { summary, findings, followUpQuestions, suggestedActions, scores, analyzedAt, model } = analysis
  return (
    <>
      {summary && (
        <Text as="p" block className={styles.summary}>
          {summary}
        </Text>
      )}
      <ol className={styles.list} aria-label="Findings">
        {findings.map((finding, index) => (
          <FindingCard
            key={finding.text}
            number={index + 1}
            finding={finding}
            isStale={stale.has(index + 1)}
            isLit={lit === index + 1}
            onLight={onLight}
          />
        ))}
      </ol>
      {scores.length > 0 && (
        <Section title="Scores">
          {scores.map((score) => (
            <Score key={score.instrument} score={score} />
          ))}
        </Section>
      )}
      <Lines title="Follow-up questions" lines={followUpQuestions} />
      <Lines title="Suggested actions" lines={suggestedActions} />
      <div className={styles.foot}>
        <SecondaryText>
          Analyzed {formatInstant(analyzedAt)}, {model === null ? 'by rules' : `by ${model}`}.
        </SecondaryText>
      </div>
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const styles = useStyles()
  return (
    <div className={styles.section}>
      <h3 className={styles.sectionTitle}>{title}</h3>
      {children}
    </div>
  )
}

function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  const styles = useStyles()
  if (lines.length === 0) return null
  return (
    <Section title={title}>
      <ul className={styles.lines}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Section>
  )
}

/** Score of a questionnaire; while items are unanswered, it has none. */
function Score({ score: { instrument, answered, items, total, band } }: { score: FormScore }) {
  return (
    <span className={useStyles().score}>
      <Text weight="semibold">
        {instrument}
        {total !== null && `: ${total}`}
      </Text>
      <SecondaryText>{total === null ? `${answered} of ${items} answered, no score yet` : (band ?? '')}</SecondaryText>
    </span>
  )
}
