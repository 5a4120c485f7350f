import { addDays } from '#contracts/values/calendar.ts'
import { Button, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components'
import { ChevronLeftRegular } from '@fluentui/react-icons/svg/chevron-left'
import { ChevronRightRegular } from '@fluentui/react-icons/svg/chevron-right'
import { type CSSProperties, type KeyboardEvent, useRef } from 'react'
import { addMonths, formatMonthDay, formatMonth, getMonthGrid } from '../calendar-dates.ts'
import { describeLoad } from './day-load.ts'

const useStyles = makeStyles({
  head: { display: 'flex', alignItems: 'center', padding: '8px 8px 4px 16px' },
  title: { flexGrow: 1 },
  grid: {
    display: 'grid',
    gridTemplateColumns: 'repeat(7, 1fr)',
    rowGap: '2px',
    padding: '0 10px 10px',
    justifyItems: 'center',
  },
  weekday: {
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase100,
    lineHeight: '24px',
  },
  day: {
    position: 'relative',
    minWidth: 0,
    width: '32px',
    height: '32px',
    padding: 0,
    fontWeight: tokens.fontWeightRegular,
    fontVariantNumeric: 'tabular-nums',
    '::after': {
      content: '""',
      position: 'absolute',
      bottom: '2px',
      left: '8px',
      height: '2px',
      width: 'calc(16px * var(--load))',
      borderRadius: '1px',
      backgroundColor: tokens.colorBrandStroke1,
      opacity: 0.7,
      '@media (forced-colors: active)': { forcedColorAdjust: 'none', backgroundColor: 'CanvasText' },
    },
  },
  closed: { color: tokens.colorNeutralForeground3, backgroundColor: tokens.colorNeutralBackground3 },
  today: { fontWeight: tokens.fontWeightBold, color: tokens.colorBrandForeground1 },
  selected: {
    backgroundColor: tokens.colorBrandBackground,
    color: tokens.colorNeutralForegroundOnBrand,
    fontWeight: tokens.fontWeightSemibold,
    ':hover': { backgroundColor: tokens.colorBrandBackgroundHover, color: tokens.colorNeutralForegroundOnBrand },
    '::after': { backgroundColor: tokens.colorNeutralForegroundOnBrand },
  },
})

type MonthPickerProps = {
  /** Any day of the month on screen. */
  month: string
  selected: string
  today: string
  /** Returns the load of a day, 0 to 1; null while it is not known. */
  getLoad: (date: string) => number | null
  /** Returns why the practice is closed on a day; null when it is not. */
  describeClosed: (date: string) => string | null
  onMonth: (month: string) => void
  onPick: (date: string) => void
}

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/** Month calendar with a bar under each date for the load of that day. The arrow keys move between dates. */
export function MonthPicker({ month, selected, today, getLoad, describeClosed, onMonth, onPick }: MonthPickerProps) {
  const styles = useStyles()
  const grid = useRef<HTMLDivElement>(null)
  const { before, days } = getMonthGrid(month)
  const tabStop = days.includes(selected) ? selected : days[0]

  function onKeyDown(event: KeyboardEvent, date: string): void {
    const step = steps[event.key]
    if (step === undefined) return
    // Elsewhere on the screen the arrow keys change the day.
    event.preventDefault()
    event.stopPropagation()
    const next = addDays(date, step)
    if (next.slice(0, 7) !== month.slice(0, 7)) onMonth(next)
    requestAnimationFrame(() => grid.current?.querySelector<HTMLElement>(`[data-date="${next}"]`)?.focus())
  }

  return (
    <div role="group" aria-label="Date">
      <div className={styles.head}>
        <Text weight="semibold" className={styles.title} aria-live="polite">
          {formatMonth(month)}
        </Text>
        <Button
          size="small"
          appearance="subtle"
          icon={<ChevronLeftRegular />}
          aria-label="Previous month"
          onClick={() => onMonth(addMonths(month, -1))}
        />
        <Button
          size="small"
          appearance="subtle"
          icon={<ChevronRightRegular />}
          aria-label="Next month"
          onClick={() => onMonth(addMonths(month, 1))}
        />
      </div>
      <div className={styles.grid} ref={grid}>
        {['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa'].map((name) => (
          <span key={name} className={styles.weekday} aria-hidden>
            {name}
          </span>
        ))}
        {Array.from({ length: before }, (_, place) => (
          <span key={`before-${place}`} />
        ))}
        {days.map((date) => (
          <Button
            key={date}
            appearance="subtle"
            data-date={date}
            tabIndex={date === tabStop ? 0 : -1}
            className={mergeClasses(
              styles.day,
              describeClosed(date) !== null && styles.closed,
              date === today && styles.today,
              date === selected && styles.selected,
            )}
            style={{ '--load': getLoad(date) ?? 0 } as CSSProperties}
            aria-pressed={date === selected}
            aria-current={date === today ? 'date' : undefined}
            aria-label={[
              formatMonthDay(date),
              ...(describeClosed(date) === null ? [] : [describeClosed(date)]),
              ...describeLoad(getLoad(date)),
            ].join(', ')}
            title={describeClosed(date) ?? undefined}
            onKeyDown={(event) => onKeyDown(event, date)}
            onClick={() => onPick(date)}
          >
            {Number(date.slice(8))}
          </Button>
        ))}
      </div>
    </div>
  )
}
