import { Button, makeStyles, Text, ToggleButton, tokens } from '@fluentui/react-components'
import { CalendarLtrRegular } from '@fluentui/react-icons/svg/calendar-ltr'
import { ChevronLeftRegular } from '@fluentui/react-icons/svg/chevron-left'
import { ChevronRightRegular } from '@fluentui/react-icons/svg/chevron-right'
import { PrintRegular } from '@fluentui/react-icons/svg/print'
import { type ReactNode, useRef } from 'react'
import { aboveToasts } from '#web/ui/toast-position.ts'
import { formatLongDate, formatShortDate, formatWeekRange, getWeekDays } from '../calendar-dates.ts'
import { type View, views } from './appointments-search.ts'

const medium = '@media (max-width: 1151px)'
const large = '@media (max-width: 1343px)'
const narrow = '@media (max-width: 639px)'

const useStyles = makeStyles({
  bar: {
    display: 'flex',
    alignItems: 'center',
    columnGap: '4px',
    rowGap: '8px',
    padding: '12px 12px 12px 16px',
    '> *': { flexShrink: 0 },
    [medium]: { paddingLeft: '12px', flexWrap: 'wrap' },
  },
  date: {
    margin: '0 0 0 8px',
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
    fontWeight: tokens.fontWeightSemibold,
    whiteSpace: 'nowrap',
    borderRadius: tokens.borderRadiusMedium,
    outlineStyle: 'none',
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '4px' },
    [narrow]: { fontSize: tokens.fontSizeBase300, marginLeft: '4px' },
  },
  long: { [large]: { display: 'none' } },
  short: { display: 'none', [large]: { display: 'inline' } },
  summary: {
    marginLeft: '8px',
    minWidth: 0,
    '&&': { flexShrink: 1 },
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    color: tokens.colorNeutralForeground3,
    whiteSpace: 'nowrap',
    [medium]: { display: 'none' },
  },
  more: { [large]: { display: 'none' } },
  today: { minWidth: 0 },
  alignEnd: { marginLeft: 'auto' },
  views: { display: 'flex', columnGap: '2px', marginRight: '4px' },
  view: { minWidth: 0, padding: '5px 10px' },
  wide: { [narrow]: { display: 'none' } },
  pick: { position: 'relative' },
  dateInput: {
    position: 'absolute',
    insetInlineStart: 0,
    bottom: 0,
    width: '1px',
    height: '1px',
    opacity: 0,
    border: 'none',
    padding: 0,
    pointerEvents: 'none',
  },
})

/** Id of the heading that names the day or week on screen. */
export const dayHeadingId = 'day'

const viewLabels: Record<View, string> = { day: 'Day', list: 'List', week: 'Week' }

type DayBarProps = {
  date: string
  today: string
  view: View
  /** Number of booked appointments, as text. */
  summary: string
  /** Addition to the summary, shown where there is room. */
  more?: string | undefined
  filter: ReactNode
  onStep: (direction: 1 | -1) => void
  onDate: (date: string) => void
  onView: (view: View) => void
}

/** Toolbar of the schedule: date, view, print and filters. */
export function DayBar({ date, today, view, summary, more, filter, onStep, onDate, onView }: DayBarProps) {
  const styles = useStyles()
  const dateInput = useRef<HTMLInputElement>(null)
  const unit = view === 'week' ? 'week' : 'day'
  return (
    <div className={styles.bar} {...aboveToasts}>
      <Button
        appearance="subtle"
        icon={<ChevronLeftRegular />}
        aria-label={`Previous ${unit}`}
        onClick={() => onStep(-1)}
      />
      <Button className={styles.today} onClick={() => onDate(today)} disabledFocusable={date === today}>
        Today
      </Button>
      <Button
        appearance="subtle"
        icon={<ChevronRightRegular />}
        aria-label={`Next ${unit}`}
        onClick={() => onStep(1)}
      />
      <h2 id={dayHeadingId} tabIndex={-1} className={styles.date} aria-live="polite">
        {view === 'week' ? (
          formatWeekRange(getWeekDays(date))
        ) : (
          <>
            <span className={styles.long}>{formatLongDate(date)}</span>
            <span className={styles.short}>{formatShortDate(date)}</span>
          </>
        )}
      </h2>
      <Text className={styles.summary}>
        {summary}
        {more && <span className={styles.more}>, {more}</span>}
      </Text>
      <span className={styles.alignEnd} />
      <span className={styles.views} role="group" aria-label="View">
        {views.map((option) => (
          <ToggleButton
            key={option}
            appearance="subtle"
            className={styles.view}
            checked={view === option}
            onClick={() => onView(option)}
          >
            {viewLabels[option]}
          </ToggleButton>
        ))}
      </span>
      <span className={styles.pick}>
        <input
          ref={dateInput}
          className={styles.dateInput}
          type="date"
          tabIndex={-1}
          aria-hidden="true"
          value={date}
          min="2000-01-01"
          max="2099-12-31"
          onChange={({ target }) => target.value && onDate(target.value)}
        />
        <Button
          appearance="subtle"
          icon={<CalendarLtrRegular />}
          aria-label="Pick a date"
          onClick={() => dateInput.current?.showPicker()}
        />
      </span>
      <Button
        className={styles.wide}
        appearance="subtle"
        icon={<PrintRegular />}
        aria-label="Print the day"
        onClick={() => print()}
      />
      {filter}
    </div>
  )
}
