import { formatTime } from '#web/ui/dates.ts'
import { Button, makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import { AddRegular } from '@fluentui/react-icons/svg/add'
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
  // Beside a cancelled appointment the free slot is narrow, so that the name stays readable.
  edge: { left: 'calc(100% - var(--free-slot-width))', width: 'calc(var(--free-slot-width) - 4px)' },
  iconOnly: { justifyContent: 'center', padding: 0 },
  wide: { [narrow]: { display: 'none' } },
})

type FreeSlotButtonProps = {
  /** HH:mm in the practice's time zone. */
  slot: string
  span: Span
  layout: DayLayout
  /** A cancelled appointment is shown in the slot: the button is drawn at its right, `--free-slot-width` wide. */
  hasAppointmentBeside: boolean
  /** Name of the provider, when the day has several columns. */
  provider: string | undefined
  onBook: () => void
}

/** Button that books a free slot. */
export function FreeSlotButton({ slot, span, layout, hasAppointmentBeside, provider, onBook }: FreeSlotButtonProps) {
  const styles = useStyles()
  const label = `${formatTime(slot)} is free`
  const isIconOnly = hasAppointmentBeside && provider !== undefined
  return (
    <Button
      className={mergeClasses(styles.free, hasAppointmentBeside && styles.edge, isIconOnly && styles.iconOnly)}
      appearance="subtle"
      icon={<AddRegular />}
      aria-label={provider === undefined ? label : `${label}, ${provider}`}
      title={isIconOnly ? label : undefined}
      onClick={onBook}
      style={computeBlockStyle(layout, span, { index: 0, count: 1 })}
    >
      {!isIconOnly && (
        <>
          <span className={styles.wide}>{formatTime(slot)} is&nbsp;</span>free
        </>
      )}
    </Button>
  )
}
