import { Button, makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import { AddRegular } from '@fluentui/react-icons'
import { formatTime } from '../local-time.ts'
import type { DayLayout, Span } from './day-layout.ts'
import { computeBlockStyle } from './appointment-block.tsx'

const narrow = '@media (max-width: 639px)'

const useStyles = makeStyles({
  free: {
    position: 'absolute',
    top: 'calc(var(--top) + 2px)',
    height: 'calc(var(--height) - 4px)',
    left: 'var(--left)',
    width: 'calc(var(--width) - 4px)',
    justifyContent: 'flex-start',
    maxWidth: 'none',
    minWidth: 0,
    whiteSpace: 'nowrap',
    overflow: 'hidden',
    color: tokens.colorNeutralForeground3,
    fontWeight: tokens.fontWeightRegular,
    paddingLeft: '10px',
  },
  // What was cancelled keeps its name: the slot that is free again takes no more room than it needs.
  edge: { left: 'calc(100% - var(--beside))', width: 'calc(var(--beside) - 4px)' },
  sign: { justifyContent: 'center', padding: 0 },
  wide: { [narrow]: { display: 'none' } },
})

type FreeSlotProps = {
  /** HH:mm on the practice's clocks. */
  slot: string
  span: Span
  shape: DayLayout
  /** A cancelled appointment is listed there: the slot stands at its right, as wide as `--beside` says. */
  beside: boolean
  /** Whose it is, where several providers stand side by side. */
  provider: string | undefined
  onBook: () => void
}

/** A slot that nobody has, and the way to book it. */
export function FreeSlotButton({ slot, span, shape, beside, provider, onBook }: FreeSlotProps) {
  const styles = useStyles()
  const words = `${formatTime(slot)} is free`
  const sign = beside && provider !== undefined
  return (
    <Button
      className={mergeClasses(styles.free, beside && styles.edge, sign && styles.sign)}
      appearance="subtle"
      icon={<AddRegular />}
      aria-label={provider === undefined ? words : `${words}, ${provider}`}
      title={sign ? words : undefined}
      onClick={onBook}
      style={computeBlockStyle(shape, span, { index: 0, count: 1 })}
    >
      {!sign && (
        <>
          <span className={styles.wide}>{formatTime(slot)} is&nbsp;</span>free
        </>
      )}
    </Button>
  )
}
