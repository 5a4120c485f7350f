import { formatTime } from '#web/ui/dates.ts'
import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import { toTimeString } from '../local-time.ts'
import { breakHeight, type DayLayout, getGridLines, getLabelledLines, labelHeight, minutesToY } from './day-layout.ts'

const narrow = '@media (max-width: 639px)'

const useStyles = makeStyles({
  hour: {
    position: 'absolute',
    left: 0,
    right: 0,
    top: 'var(--top)',
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
  },
  half: { borderTopStyle: 'dashed' },
  // Stays visible when the columns are scrolled sideways.
  gutter: {
    position: 'sticky',
    left: 0,
    width: '76px',
    height: 'calc(100% + 28px)',
    margin: '-12px 0 -16px -76px',
    zIndex: 4,
    pointerEvents: 'none',
    backgroundColor: tokens.colorNeutralBackground1,
    [narrow]: { width: '74px', marginLeft: '-74px' },
  },
  label: {
    position: 'absolute',
    right: '10px',
    top: 'calc(var(--top) + 4px)',
    fontSize: tokens.fontSizeBase200,
    lineHeight: `${labelHeight}px`,
    whiteSpace: 'nowrap',
    color: tokens.colorNeutralForeground2,
    fontVariantNumeric: 'tabular-nums',
  },
  halfLabel: { color: tokens.colorNeutralForeground3 },
  pause: {
    position: 'absolute',
    left: 0,
    right: 0,
    top: 'var(--top)',
    height: `${breakHeight}px`,
    display: 'flex',
    alignItems: 'center',
    paddingLeft: '14px',
    boxSizing: 'border-box',
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    backgroundColor: tokens.colorNeutralBackground2,
  },
  closed: {
    position: 'absolute',
    left: 0,
    right: 0,
    top: 'var(--top)',
    height: 'var(--height)',
    paddingLeft: '14px',
    paddingTop: '6px',
    boxSizing: 'border-box',
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    backgroundColor: tokens.colorNeutralBackground3,
  },
  now: {
    position: 'absolute',
    left: 0,
    right: '4px',
    top: 'var(--top)',
    height: '2px',
    marginTop: '-1px',
    backgroundColor: tokens.colorBrandStroke1,
    '@media (forced-colors: active)': { forcedColorAdjust: 'none', backgroundColor: 'Highlight' },
    pointerEvents: 'none',
  },
  nowTime: {
    position: 'absolute',
    right: '10px',
    top: 'calc(var(--top) + 4px)',
    fontSize: tokens.fontSizeBase200,
    lineHeight: `${labelHeight}px`,
    fontWeight: tokens.fontWeightSemibold,
    color: tokens.colorBrandForeground1,
    backgroundColor: tokens.colorNeutralBackground1,
    whiteSpace: 'nowrap',
    fontVariantNumeric: 'tabular-nums',
  },
  ring: {
    position: 'absolute',
    left: '100%',
    top: 'calc(var(--top) + 12px)',
    '::before': {
      content: '""',
      position: 'absolute',
      left: '-6px',
      top: '-6px',
      width: '8px',
      height: '8px',
      borderRadius: '50%',
      border: `2px solid ${tokens.colorBrandStroke1}`,
      backgroundColor: tokens.colorNeutralBackground1,
    },
  },
})

/** Describes the break that is drawn small. The words for the usual one are shorter. */
function describeBreak({ breakStart, breakEnd }: DayLayout): string {
  const [from, until] = [toTimeString(breakStart), toTimeString(breakEnd)]
  if (from === '12:00' && until === '14:00') return 'Midday break, noon to 2:00 PM'
  return `Break, ${formatTime(from)} to ${formatTime(until)}`
}

/** The lines and labels of the hours, the times without work, and the line of the current time. */
export function TimeGrid({ layout, nowMinutes }: { layout: DayLayout; nowMinutes: number | null }) {
  const styles = useStyles()
  const toStyle = (minutes: number) => ({ '--top': `${minutesToY(layout, minutes)}px` }) as React.CSSProperties
  const lines = getGridLines(layout)
  return (
    <>
      <div className={styles.gutter} aria-hidden>
        {getLabelledLines(layout, nowMinutes).map((line) => (
          <span
            key={line}
            data-hour={line}
            className={mergeClasses(styles.label, line % 60 === 30 && styles.halfLabel)}
            style={toStyle(line)}
          >
            {formatTime(toTimeString(line))}
          </span>
        ))}
        {nowMinutes !== null && (
          <>
            <span data-now="time" className={styles.nowTime} style={toStyle(nowMinutes)}>
              {formatTime(toTimeString(nowMinutes))}
            </span>
            <div data-now="ring" className={styles.ring} style={toStyle(nowMinutes)} />
          </>
        )}
      </div>
      {layout.closed.map((closed) => (
        <div
          key={closed.start}
          data-closed=""
          className={styles.closed}
          style={
            {
              ...toStyle(closed.start),
              '--height': `${minutesToY(layout, closed.start + closed.duration) - minutesToY(layout, closed.start)}px`,
            } as React.CSSProperties
          }
        >
          {closed.isBreak && closed.duration >= 20 ? 'Break' : null}
        </div>
      ))}
      {lines.map((line) => (
        <div
          key={line}
          data-line={line}
          aria-hidden
          className={mergeClasses(styles.hour, line % 60 === 30 && styles.half)}
          style={toStyle(line)}
        />
      ))}
      {layout.isBreakCollapsed && (
        <div className={styles.pause} style={toStyle(layout.breakStart)}>
          {describeBreak(layout)}
        </div>
      )}
      {nowMinutes !== null && <div data-now="line" className={styles.now} style={toStyle(nowMinutes)} aria-hidden />}
    </>
  )
}
