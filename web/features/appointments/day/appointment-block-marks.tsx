import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import { ArrowRepeatAll16Regular } from '@fluentui/react-icons/svg/arrow-repeat-all'
import { SquareMultiple16Regular } from '@fluentui/react-icons/svg/square-multiple'
import type { Appointment } from '#contracts/appointments.ts'
import { DeceasedMark } from '#web/entities/appointments/deceased-mark.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import type { BlockSpace } from './appointment-block-text.tsx'

const narrow = '@media (max-width: 639px)'

const useStyles = makeStyles({
  mark: {
    display: 'inline-flex',
    alignItems: 'center',
    columnGap: '4px',
    fontSize: tokens.fontSizeBase200,
    color: tokens.colorNeutralForeground2,
    whiteSpace: 'nowrap',
  },
  wide: { [narrow]: { display: 'none' } },
  badge: {
    display: 'inline-flex',
    [narrow]: { '> span': { fontSize: 0, columnGap: 0, padding: '0 4px' } },
  },
  iconOnly: { '> span': { fontSize: 0, columnGap: 0, padding: '0 4px' } },
})

type BlockMarksProps = { appointment: Appointment; space: Pick<BlockSpace, 'isShort' | 'isTight'> }

/** The marks of an appointment: that it repeats, that it is beside another one, and its status. */
export function BlockMarks({
  appointment: { seriesId, overlap, status, patientDeceased },
  space: { isShort, isTight },
}: BlockMarksProps) {
  const styles = useStyles()
  return (
    <>
      {/* Taller blocks have it below the name. */}
      {patientDeceased && isShort && <DeceasedMark separator=" " />}
      {seriesId && (
        <span className={styles.mark} title="Repeats">
          <ArrowRepeatAll16Regular aria-hidden />
        </span>
      )}
      {overlap && status !== 'cancelled' && (
        <span className={styles.mark} title="Booked beside another appointment">
          <SquareMultiple16Regular aria-label="Overlap" />
          {!isTight && <span className={styles.wide}>Overlap</span>}
        </span>
      )}
      <span className={mergeClasses(styles.badge, isTight && styles.iconOnly)}>
        <StatusBadge status={status} plain={isShort} />
      </span>
    </>
  )
}
