import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import type { CSSProperties } from 'react'
import { formatMonth, formatShortWeekday, getWeekDays } from '../calendar-dates.ts'
import { describeLoad } from './day-load.ts'

const useStyles = makeStyles({
  strip: { display: 'grid', gridTemplateColumns: 'repeat(7, minmax(0, 1fr))', columnGap: '4px' },
  day: {
    display: 'grid',
    justifyItems: 'center',
    rowGap: '2px',
    padding: '6px 0 8px',
    minHeight: '44px',
    minWidth: 0,
    font: 'inherit',
    color: tokens.colorNeutralForeground2,
    cursor: 'pointer',
    backgroundColor: 'transparent',
    border: '1px solid transparent',
    borderRadius: tokens.borderRadiusLarge,
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
  name: {
    fontSize: tokens.fontSizeBase100,
    lineHeight: tokens.lineHeightBase100,
    color: tokens.colorNeutralForeground3,
  },
  number: {
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
    fontWeight: tokens.fontWeightSemibold,
    fontVariantNumeric: 'tabular-nums',
  },
  visuallyHidden: { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' },
  load: {
    width: '24px',
    height: '3px',
    borderRadius: '2px',
    backgroundColor: tokens.colorNeutralStroke2,
    '::after': {
      content: '""',
      display: 'block',
      height: '3px',
      borderRadius: '2px',
      width: 'calc(100% * var(--load))',
      backgroundColor: tokens.colorBrandStroke1,
      '@media (forced-colors: active)': { forcedColorAdjust: 'none', backgroundColor: 'currentColor' },
    },
  },
  closed: { backgroundColor: tokens.colorNeutralBackground3, color: tokens.colorNeutralForeground3 },
  selected: {
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorBrandStroke1}`,
    color: tokens.colorBrandForeground1,
  },
})

type WeekStripProps = {
  selected: string
  getLoad: (date: string) => number | null
  describeClosed: (date: string) => string | null
  onPick: (date: string) => void
}

/** Row of the days of a week, each with its load, for narrow screens. */
export function WeekStrip({ selected, getLoad, describeClosed, onPick }: WeekStripProps) {
  const styles = useStyles()
  return (
    <div className={styles.strip} role="group" aria-label="Week">
      {getWeekDays(selected).map((date) => (
        <button
          key={date}
          type="button"
          className={mergeClasses(
            styles.day,
            describeClosed(date) !== null && styles.closed,
            date === selected && styles.selected,
          )}
          aria-pressed={date === selected}
          onClick={() => onPick(date)}
        >
          <span className={styles.name}>{formatShortWeekday(date)}</span>{' '}
          <span className={styles.number}>{Number(date.slice(8))}</span>
          <span className={styles.visuallyHidden}>
            {['', formatMonth(date), describeClosed(date) ?? [], describeLoad(getLoad(date))].flat().join(', ')}
          </span>
          <span className={styles.load} style={{ '--load': getLoad(date) ?? 0 } as CSSProperties} />
        </button>
      ))}
    </div>
  )
}
