import { formatName } from '#web/ui/format.ts'
import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import type { Appointment } from '#contracts/appointments.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { getMinutesSince, sortWaiting } from './waiting-order.ts'

const useStyles = makeStyles({
  list: { listStyleType: 'none', margin: '0 -8px', padding: 0, display: 'grid', rowGap: '2px' },
  row: {
    width: '100%',
    maxWidth: 'none',
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) auto',
    columnGap: '8px',
    alignItems: 'center',
    padding: '4px 8px',
    textAlign: 'left',
    fontWeight: tokens.fontWeightRegular,
  },
  text: { display: 'grid', minWidth: 0 },
  secondary: {
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    fontVariantNumeric: 'tabular-nums',
  },
})

const formatWaitingTime = (minutes: number) =>
  minutes < 1 ? 'just now' : minutes === 1 ? 'for 1 minute' : `for ${minutes} minutes`

type WaitingRoomProps = { appointments: readonly Appointment[]; now: Date; onOpen: (appointment: Appointment) => void }

/** Lists the patients in the waiting room with their waiting time, emergencies first. */
export function WaitingRoom({ appointments, now, onOpen }: WaitingRoomProps) {
  const styles = useStyles()
  const waiting = sortWaiting(appointments)
  if (waiting.length === 0) return null
  return (
    <Panel title="Waiting room" note={`${waiting.length} here`}>
      <ul className={styles.list}>
        {waiting.map((appointment) => (
          <li key={appointment.id}>
            <Button appearance="subtle" className={styles.row} onClick={() => onOpen(appointment)}>
              <span className={styles.text}>
                <Text weight="semibold" truncate wrap={false} dir="auto">
                  {formatName(appointment.patient)}
                </Text>
                <Text className={styles.secondary}>
                  {formatWaitingTime(getMinutesSince(appointment.statusSince, now))}
                </Text>
              </span>
              <StatusBadge status={appointment.type === 'emergency' ? 'urgent' : 'waiting'} plain />
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
