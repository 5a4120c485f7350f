import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import { EvidenceNumber } from './evidence-number.tsx'
import { markEvidence, type Quote } from './evidence.ts'
import { useReviewStyles } from './review-styles.ts'
import type { AnswerGroup, ShownAnswer } from './shown-answers.ts'

const useStyles = makeStyles({
  panel: { padding: '8px 0 12px' },
  group: { padding: '8px 20px 4px', breakInside: 'avoid' },
  title: {
    margin: '0 0 4px',
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    fontWeight: tokens.fontWeightSemibold,
  },
  list: { margin: 0 },
  row: {
    display: 'grid',
    gridTemplateColumns: '184px minmax(0, 1fr)',
    columnGap: '16px',
    padding: '10px 0',
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
    '@media (max-width: 639px)': { gridTemplateColumns: 'minmax(0, 1fr)', rowGap: '2px' },
  },
  question: { color: tokens.colorNeutralForeground3, overflowWrap: 'anywhere' },
  answer: { margin: 0, lineHeight: '24px', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
  none: { color: tokens.colorNeutralForeground3 },
  mark: {
    padding: '2px',
    borderRadius: tokens.borderRadiusSmall,
    color: 'inherit',
    backgroundColor: tokens.colorNeutralBackground4,
    boxDecorationBreak: 'clone',
    // Without backgrounds on paper.
    '@media print': { textDecorationLine: 'underline' },
  },
  lit: {
    backgroundColor: tokens.colorBrandBackground2,
    boxShadow: `inset 0 -2px 0 ${tokens.colorBrandStroke1}`,
  },
})

type AnswersPanelProps = {
  groups: readonly AnswerGroup[]
  /** Evidence by question. */
  quotes: ReadonlyMap<string, readonly Quote[]>
  /** The finding whose evidence is lit. */
  lit: number | null
  onLight: (finding: number | null) => void
}

/** The answers as they were given. Words on which a finding rests are marked with its number. */
export function AnswersPanel({ groups, quotes, lit, onLight }: AnswersPanelProps) {
  const styles = useStyles()
  const { panel, scrolling } = useReviewStyles()
  return (
    // Scrolls with the arrow keys when it has the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={mergeClasses(panel, scrolling, styles.panel)} aria-label="Answers" tabIndex={0}>
      {groups.map(({ id, title, answers }) => (
        <div key={id} className={styles.group}>
          <h2 className={styles.title}>{title}</h2>
          <dl className={styles.list}>
            {answers.map((answer) => (
              <div key={answer.questionId} className={styles.row}>
                <dt className={styles.question}>{answer.label}</dt>
                <dd className={mergeClasses(styles.answer, !answer.isAnswered && styles.none)} dir="auto">
                  <MarkedAnswer
                    answer={answer}
                    quotes={quotes.get(answer.questionId) ?? []}
                    lit={lit}
                    onLight={onLight}
                  />
                </dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
    </section>
  )
}

type MarkedAnswerProps = Pick<AnswersPanelProps, 'lit' | 'onLight'> & {
  answer: ShownAnswer
  quotes: readonly Quote[]
}

function MarkedAnswer({ answer, quotes, lit, onLight }: MarkedAnswerProps) {
  const styles = useStyles()
  return markEvidence(answer.text, quotes).map(({ start, text, findings, ends }) => {
    if (findings.length === 0) return <span key={start}>{text}</span>
    const isLit = lit !== null && findings.includes(lit)
    return (
      // Its number has the focus and does the same.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
      <mark
        key={start}
        className={mergeClasses(styles.mark, isLit && styles.lit)}
        onMouseEnter={() => onLight(findings.at(-1) ?? null)}
        onMouseLeave={() => onLight(null)}
      >
        {text}
        {ends.map((finding) => (
          <EvidenceNumber key={finding} finding={finding} side="answers" isLit={finding === lit} onLight={onLight} />
        ))}
      </mark>
    )
  })
}
