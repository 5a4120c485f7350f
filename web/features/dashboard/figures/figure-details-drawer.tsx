import { Drawer } from '#web/ui/drawer.tsx'
import { formatName } from '#web/ui/format.ts'
import {
  Button,
  DrawerBody,
  DrawerHeader,
  DrawerHeaderTitle,
  makeStyles,
  Text,
  tokens,
} from '@fluentui/react-components'
import { CalendarLtrRegular } from '@fluentui/react-icons/svg/calendar-ltr'
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss'
import { DocumentSearchRegular } from '@fluentui/react-icons/svg/document-search'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CountedAppointment } from '#contracts/dashboard.ts'
import { formatDate, formatTime } from '#web/ui/dates.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { SecondaryText, TwoLineCell } from '#web/ui/text.tsx'
import { aboveToasts } from '#web/ui/toast-position.ts'
import { countedAppointmentsQuery } from '../api.ts'
import { type FigureAppointments, type FigureExplanation, formatMoney } from './figures.ts'
import { PanelEmpty, LoadablePanel } from '../panels/loadable-panel.tsx'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'

const useStyles = makeStyles({
  drawer: { width: '560px', maxWidth: '100%' },
  total: {
    display: 'grid',
    rowGap: '2px',
    padding: '14px 16px',
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorBrandBackground2,
    border: `1px solid ${tokens.colorBrandStroke2}`,
    marginBottom: '8px',
  },
  list: { listStyleType: 'none', margin: 0, padding: 0 },
  row: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) auto auto',
    alignItems: 'center',
    columnGap: '16px',
    minHeight: '52px',
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
  },
  fee: { fontVariantNumeric: 'tabular-nums', minWidth: '56px', textAlign: 'right' },
  link: { color: tokens.colorBrandForegroundLink },
})

type FigureDetailsDrawerProps = { details: FigureAppointments | FigureExplanation | null; onClose: () => void }

/** Drawer that explains a figure and lists every record that it counts. */
export function FigureDetailsDrawer({ details, onClose }: FigureDetailsDrawerProps) {
  const styles = useStyles()
  return (
    <Drawer className={styles.drawer} isOpen={details !== null} onClose={onClose}>
      <DrawerHeader {...aboveToasts}>
        <DrawerHeaderTitle
          action={<Button appearance="subtle" icon={<DismissRegular />} aria-label="Close" onClick={onClose} />}
        >
          The records behind this number
        </DrawerHeaderTitle>
      </DrawerHeader>
      <DrawerBody>
        {details &&
          ('counted' in details ? (
            <FigureAppointmentList figure={details} />
          ) : (
            <FigureExplanationView figure={details} />
          ))}
      </DrawerBody>
    </Drawer>
  )
}

function FigureExplanationView({
  figure: { title, value, description, records, emptyState },
}: {
  figure: FigureExplanation
}) {
  const styles = useStyles()
  return (
    <>
      <div className={styles.total}>
        <Text weight="semibold">
          {title}: {value}
        </Text>
        <SecondaryText>{description}</SecondaryText>
      </div>
      {records.length === 0 ? (
        <PanelEmpty icon={DocumentSearchRegular} title={emptyState.title} hint={emptyState.hint} />
      ) : (
        <ul className={styles.list}>
          {records.map(({ when, what }, index) => (
            <li key={index} className={styles.row}>
              <Text>{when}</Text>
              <Text className={styles.fee}>{what}</Text>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function FigureAppointmentList({ figure }: { figure: FigureAppointments }) {
  const styles = useStyles()
  const appointments = useQuery(countedAppointmentsQuery(figure))
  return (
    <LoadablePanel
      source={appointments}
      loadingLabel="Loading the appointments"
      rows={6}
      errorTitle="Unable to load the appointments"
    >
      {(list) => (
        <>
          <div className={styles.total}>
            <Text weight="semibold">
              {figure.title}: {figure.total}
            </Text>
            <SecondaryText>{figure.description}</SecondaryText>
          </div>
          {list.length === 0 ? (
            <PanelEmpty icon={CalendarLtrRegular} title="No appointments for this figure" />
          ) : (
            <ul className={styles.list}>
              {list.map((appointment) => (
                <li key={appointment.id} className={styles.row}>
                  <TwoLineCell
                    top={<PatientLink appointment={appointment} />}
                    bottom={describeCountedAppointment(appointment)}
                    strong
                    wrap
                  />
                  <StatusBadge status={appointment.state === 'open' ? 'scheduled' : appointment.state} plain />
                  <Text className={styles.fee}>{appointment.fee ? formatMoney(appointment.fee.cents) : ''}</Text>
                </li>
              ))}
            </ul>
          )}
          {list.length === 1_000 && <SecondaryText>The newest 1,000 are shown.</SecondaryText>}
        </>
      )}
    </LoadablePanel>
  )
}

const describeCountedAppointment = ({ localDate, localTime, type }: CountedAppointment) =>
  `${formatDate(localDate)}, ${formatTime(localTime)}, ${appointmentTypeLabels[type]}`

function PatientLink({ appointment: { patient, patientId } }: { appointment: CountedAppointment }) {
  const { link } = useStyles()
  if (!patient) return 'Removed patient'
  return (
    <Link to="/patients/$patientId" params={{ patientId }} className={link}>
      {formatName(patient)}
    </Link>
  )
}
