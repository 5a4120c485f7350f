import { Button, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components'
import { ArrowClockwiseRegular } from '@fluentui/react-icons/svg/arrow-clockwise'
import { OpenRegular } from '@fluentui/react-icons/svg/open'
import { CalendarLtrRegular } from '@fluentui/react-icons/svg/calendar-ltr'
import { useNavigate } from '@tanstack/react-router'
import type { CSSProperties } from 'react'
import type { AppointmentId } from '#contracts/values/ids.ts'
import { DemoBadge } from '#web/entities/sample-data/demo-badge.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { RowLink } from '#web/ui/row-link.tsx'
import { RowMenu } from '#web/ui/action-menu.tsx'
import { type Status, StatusBadge } from '#web/ui/status-badge.tsx'
import type { Loadable } from './loadable.ts'
import type { DayAppointment } from '../dashboard-model.ts'
import { PanelEmpty, LoadablePanel } from './loadable-panel.tsx'
import { DeceasedMark } from '#web/entities/appointments/deceased-mark.tsx'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import { nextSteps } from '#web/entities/appointments/next-steps.ts'
import { useStatusChange } from '#web/entities/appointments/use-status-change.ts'
import { isClosed } from '#web/entities/appointments/appointment-status.ts'
import { formatTime } from '#web/ui/dates.ts'
import { getDisplayStatus } from '../format.ts'

const narrow = '@media (max-width: 639px), (min-width: 768px) and (max-width: 943px)'

const useStyles = makeStyles({
  list: { listStyleType: 'none', margin: 0, padding: '0 12px 12px' },
  row: {
    position: 'relative',
    display: 'grid',
    gridTemplateColumns: '64px minmax(0, 1fr) minmax(0, 1fr) 104px',
    alignItems: 'center',
    columnGap: tokens.spacingHorizontalM,
    minHeight: '48px',
    padding: '0 8px 0 14px',
    borderRadius: tokens.borderRadiusMedium,
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    '::before': {
      content: '""',
      position: 'absolute',
      left: 0,
      top: '6px',
      bottom: '6px',
      width: '3px',
      borderRadius: '2px',
      backgroundColor: 'var(--edge)',
    },
    [narrow]: {
      gridTemplateColumns: '70px minmax(0, 1fr) auto',
      gridTemplateRows: 'auto auto',
      columnGap: '8px',
      minHeight: '58px',
      alignContent: 'center',
      padding: '0 4px 0 12px',
    },
  },
  time: {
    fontVariantNumeric: 'tabular-nums',
    color: tokens.colorNeutralForeground2,
    whiteSpace: 'nowrap',
    [narrow]: { gridRow: '1 / 3' },
  },
  person: { display: 'flex', alignItems: 'center', columnGap: '8px', minWidth: 0 },
  name: {
    fontWeight: tokens.fontWeightSemibold,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
  },
  type: {
    color: tokens.colorNeutralForeground3,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    [narrow]: { gridColumn: 2, fontSize: tokens.fontSizeBase200, lineHeight: tokens.lineHeightBase200 },
  },
  reason: { [narrow]: { display: 'none' } },
  wide: { flexShrink: 0, [narrow]: { display: 'none' } },
  narrow: { display: 'none', [narrow]: { display: 'inline' } },
  rowWithMenu: {
    gridTemplateColumns: '64px minmax(0, 1fr) minmax(0, 1fr) 104px 32px',
    paddingRight: 0,
    [narrow]: { gridTemplateColumns: '70px minmax(0, 1fr) auto 32px', paddingRight: 0 },
  },
  menu: { zIndex: 1, [narrow]: { gridColumn: 4, gridRow: '1 / 3' } },
  badge: { [narrow]: { gridColumn: 3, gridRow: '1 / 3' } },
  past: { color: tokens.colorNeutralForeground3, fontWeight: tokens.fontWeightRegular },
  strikethrough: { textDecorationLine: 'line-through' },
  now: {
    display: 'flex',
    alignItems: 'center',
    columnGap: '8px',
    height: '20px',
    color: tokens.colorBrandForeground1,
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightSemibold,
    '::after': { content: '""', flexGrow: 1, height: '1.5px', backgroundColor: tokens.colorBrandStroke1 },
  },
  ring: {
    width: '7px',
    height: '7px',
    borderRadius: tokens.borderRadiusCircular,
    border: `2px solid ${tokens.colorBrandStroke1}`,
    marginLeft: '-4px',
  },
})

const edgeColors: Partial<Record<Status, string>> = {
  urgent: tokens.colorStatusDangerBorder2,
  'no-show': tokens.colorStatusDangerBorder2,
  confirmed: tokens.colorStatusSuccessBorder2,
  completed: tokens.colorStatusSuccessBorder2,
  waiting: tokens.colorStatusWarningBorder2,
  'in-progress': tokens.colorPaletteBlueBorderActive,
}
const edgeStyle = (status: Status) => ({ '--edge': edgeColors[status] ?? tokens.colorNeutralStroke1 }) as CSSProperties

type TodaysScheduleProps = {
  appointments: Loadable<readonly DayAppointment[]>
  hasRecords: boolean
  /** Current time in the practice's time zone, HH:mm. */
  now: string
  className?: string | undefined
}

/** Appointments of the day in order, with a line at the current time. A row opens its appointment; its menu has the next steps. */
export function TodaysSchedule({ appointments, hasRecords, now, className }: TodaysScheduleProps) {
  const { data, isFetching, refetch } = appointments
  const remaining = data?.filter(({ status }) => !isClosed(status)).length
  return (
    <Panel
      title="Today's Schedule"
      note={data && data.length > 0 ? `${remaining} of ${data.length} to go` : undefined}
      flush
      className={className}
      action={
        refetch && (
          <Button
            appearance="subtle"
            icon={<ArrowClockwiseRegular />}
            aria-label="Refresh"
            title="Refresh"
            disabledFocusable={isFetching}
            onClick={() => void refetch()}
          />
        )
      }
    >
      <LoadablePanel
        source={appointments}
        loadingLabel="Loading today's schedule"
        rows={6}
        errorTitle="Unable to load today's schedule"
      >
        {(day) =>
          day.length === 0 ? (
            <PanelEmpty icon={CalendarLtrRegular} title="No appointments scheduled for today" />
          ) : (
            <DaySchedule appointments={day} hasRecords={hasRecords} now={now} />
          )
        }
      </LoadablePanel>
    </Panel>
  )
}

type DayScheduleProps = { appointments: readonly DayAppointment[]; hasRecords: boolean; now: string }

function DaySchedule({ appointments, hasRecords, now }: DayScheduleProps) {
  const styles = useStyles()
  const nextIndex = appointments.findIndex(({ time }) => time > now)
  const nowLine = (
    <div className={styles.now}>
      <span className={styles.ring} />
      <span>Now, {formatTime(now)}</span>
    </div>
  )
  return (
    <ol className={styles.list}>
      {appointments.map((appointment, index) => (
        <li key={appointment.id}>
          {index === nextIndex && nowLine}
          <ScheduleRow appointment={appointment} hasRecord={hasRecords} />
          {nextIndex === -1 && index === appointments.length - 1 && nowLine}
        </li>
      ))}
    </ol>
  )
}

const toSearch = (id: string) => ({ appointment: id as AppointmentId })

function ScheduleRow({ appointment, hasRecord }: { appointment: DayAppointment; hasRecord: boolean }) {
  const styles = useStyles()
  const { id, time, name, type, reason, status, isDeceased, isSample } = appointment
  const displayStatus = getDisplayStatus(type, status)
  const isPast = status === 'completed' || status === 'cancelled'
  const label = (
    <Text
      className={mergeClasses(styles.name, isPast && styles.past, status === 'cancelled' && styles.strikethrough)}
      title={name}
    >
      {name}
    </Text>
  )
  return (
    <div
      className={mergeClasses(styles.row, hasRecord && styles.rowWithMenu)}
      style={edgeStyle(displayStatus)}
      data-testid="patient-appointment"
    >
      <Text className={styles.time}>{formatTime(time)}</Text>
      <span className={styles.person}>
        {hasRecord ? (
          <RowLink to="/appointments" search={toSearch(id)}>
            {label}
          </RowLink>
        ) : (
          label
        )}
        {isSample && <DemoBadge className={styles.wide} />}
      </span>
      <Text className={styles.type}>
        {isDeceased && <DeceasedMark />}
        {appointmentTypeLabels[type]}
        {isSample && <span className={styles.narrow}>, Demo</span>}
        {reason && <span className={styles.reason}>, {reason}</span>}
      </Text>
      <span className={styles.badge}>
        <StatusBadge status={displayStatus} />
      </span>
      {hasRecord && (
        <span className={styles.menu}>
          <StatusMenu appointment={appointment} />
        </span>
      )}
    </div>
  )
}

/** Menu with the next steps of an appointment. */
function StatusMenu({ appointment: { id, name, time, status } }: { appointment: DayAppointment }) {
  const navigate = useNavigate()
  const { setStatus, isPending } = useStatusChange()
  const open = () => void navigate({ to: '/appointments', search: toSearch(id) })
  return (
    <RowMenu
      name={`${name}, ${formatTime(time)}`}
      actions={[
        ...nextSteps[status].map(({ status: next, label, icon }) => ({
          label,
          icon,
          onClick: () => {
            if (!isPending) setStatus(id, name, next)
          },
        })),
        { label: 'View Details', icon: OpenRegular, onClick: open },
      ]}
    />
  )
}
