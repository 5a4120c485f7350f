import { formatTime } from '#web/ui/dates.ts'
import { Button, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components'
import type { Appointment } from '#contracts/appointments.ts'
import { Panel } from '#web/ui/panel.tsx'
import { getSlotState } from '../slots.ts'
import type { WorkingDay } from '../working-day.ts'

/** Screens with colors that the user has set for everything, without backgrounds. */
const forced = '@media (forced-colors: active)'

const noBorder = {
  borderTopColor: 'transparent',
  borderRightColor: 'transparent',
  borderBottomColor: 'transparent',
  borderLeftColor: 'transparent',
}

const useStyles = makeStyles({
  heading: {
    margin: '0 0 6px',
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    fontWeight: tokens.fontWeightMedium,
  },
  half: { ':not(:first-child)': { marginTop: '12px' } },
  grid: { display: 'grid', gridTemplateColumns: 'repeat(3, 1fr)', columnGap: '6px', rowGap: '6px' },
  slot: {
    minWidth: 0,
    padding: 0,
    height: '32px',
    fontVariantNumeric: 'tabular-nums',
    fontWeight: tokens.fontWeightMedium,
    whiteSpace: 'nowrap',
  },
  booked: {
    ...noBorder,
    backgroundColor: tokens.colorBrandBackground2,
    color: tokens.colorBrandForeground2,
    ':hover': { backgroundColor: tokens.colorBrandBackground2, color: tokens.colorBrandForeground2 },
    [forced]: {
      forcedColorAdjust: 'none',
      backgroundColor: 'Highlight',
      color: 'HighlightText',
      ':hover': { backgroundColor: 'Highlight', color: 'HighlightText' },
    },
  },
  busy: {
    ...noBorder,
    color: tokens.colorNeutralForeground3,
    backgroundColor: tokens.colorNeutralBackground3,
    [forced]: { border: '1px dashed GrayText', color: 'GrayText' },
  },
  unknown: { ...noBorder, color: tokens.colorNeutralForeground3 },
  legend: {
    display: 'flex',
    columnGap: '14px',
    marginTop: '14px',
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase100,
  },
  swatch: {
    display: 'inline-block',
    width: '12px',
    height: '12px',
    borderRadius: '3px',
    marginRight: '6px',
    verticalAlign: '-2px',
    boxSizing: 'border-box',
  },
  free: { border: `1px solid ${tokens.colorNeutralStroke1}` },
})

const isInHalf = (slot: string, half: 'Morning' | 'Afternoon') => slot < '12' === (half === 'Morning')

type SlotPanelProps = {
  /** Undefined while they are not known: then no slot is called free. */
  appointments: readonly Appointment[] | undefined
  /** Number of providers who work and whose appointments are shown. */
  providers: number
  workingDay: WorkingDay
  onPick: (slot: string) => void
}

/** The slots of a day. Filled: an appointment starts. Grey: an earlier one still lasts. Outlined: free. */
export function SlotPanel({ appointments, providers, workingDay: { slots, notes }, onPick }: SlotPanelProps) {
  const styles = useStyles()
  const states = new Map(appointments && slots.map((slot) => [slot, getSlotState(slot, appointments, providers)]))
  const free = slots.filter((slot) => states.get(slot) === 'free').length
  const halves = (['Morning', 'Afternoon'] as const).filter((half) => slots.some((slot) => isInHalf(slot, half)))
  const stateStyles = { booked: styles.booked, busy: styles.busy, free: undefined, unknown: styles.unknown }
  return (
    <Panel title="Time Slots" note={appointments && slots.length > 0 ? `${free} free` : undefined}>
      {slots.length === 0 && <Text>{notes.join('. ')}</Text>}
      {halves.map((half) => (
        <div key={half} className={styles.half}>
          <h3 className={styles.heading}>{half}</h3>
          <div className={styles.grid}>
            {slots
              .filter((slot) => isInHalf(slot, half))
              .map((slot) => {
                const state = states.get(slot) ?? 'unknown'
                return (
                  <Button
                    key={slot}
                    className={mergeClasses(styles.slot, stateStyles[state])}
                    onClick={() => onPick(slot)}
                    aria-label={state === 'unknown' ? undefined : `${formatTime(slot)}, ${state}`}
                  >
                    {formatTime(slot)}
                  </Button>
                )
              })}
          </div>
        </div>
      ))}
      {slots.length > 0 && <Legend />}
    </Panel>
  )
}

function Legend() {
  const styles = useStyles()
  return (
    <div className={styles.legend} aria-hidden>
      <span>
        <span className={mergeClasses(styles.swatch, styles.booked)} />
        Booked
      </span>
      <span>
        <span className={mergeClasses(styles.swatch, styles.busy)} />
        Still busy
      </span>
      <span>
        <span className={mergeClasses(styles.swatch, styles.free)} />
        Free
      </span>
    </div>
  )
}
