import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components'

const useStyles = makeStyles({
  number: {
    minWidth: '24px',
    minHeight: '24px',
    padding: '0 4px',
    border: 'none',
    borderRadius: tokens.borderRadiusMedium,
    fontFamily: 'inherit',
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightSemibold,
    color: tokens.colorNeutralForeground2,
    backgroundColor: tokens.colorNeutralBackground4,
    cursor: 'pointer',
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
  inAnswer: { marginLeft: '2px', backgroundColor: 'transparent' },
  lit: { backgroundColor: tokens.colorBrandBackground, color: tokens.colorNeutralForegroundOnBrand },
})

type Side = 'answers' | 'findings'

const otherSide = { answers: 'findings', findings: 'answers' } as const

/** Shows the first number of a finding on one side, and focuses it. */
function showOnSide(finding: number, side: Side): void {
  const number = document.querySelector<HTMLElement>(`[data-evidence="${side}-${finding}"]`)
  number?.scrollIntoView({ block: 'center' })
  number?.focus({ preventScroll: true })
}

type EvidenceNumberProps = {
  finding: number
  side: Side
  isLit: boolean
  onLight: (finding: number | null) => void
}

/** Number of a finding, at the finding and at its words in the answers. Each leads to the other side. */
export function EvidenceNumber({ finding, side, isLit, onLight }: EvidenceNumberProps) {
  const styles = useStyles()
  const label = side === 'answers' ? `Evidence of finding ${finding}` : `Finding ${finding}, show its evidence`
  return (
    <button
      type="button"
      className={mergeClasses(styles.number, side === 'answers' && styles.inAnswer, isLit && styles.lit)}
      data-evidence={`${side}-${finding}`}
      aria-label={label}
      onFocus={() => onLight(finding)}
      onBlur={() => onLight(null)}
      onClick={() => showOnSide(finding, otherSide[side])}
    >
      {finding}
    </button>
  )
}
