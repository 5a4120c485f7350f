import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import { Link } from '@tanstack/react-router'
import type { Confirmation } from '#contracts/confirmations.ts'
import { useCardStyles } from '#web/ui/card-styles.ts'
import type { Column } from '#web/ui/data-table.tsx'
import { useFormatInstant } from '#web/entities/practices/practice-time.ts'
import { Person } from '#web/ui/person.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { SecondaryText, TwoLineCell } from '#web/ui/text.tsx'
import { describeResponse, describeSending, joinLines, methodLabels } from './labels.ts'

/** A confirmation as the list shows it; those of the demo have no record behind them. */
export type ListedConfirmation = Omit<Confirmation, 'id' | 'appointmentId' | 'patientId' | 'attempts'> & { id: string }

const useStyles = makeStyles({
  tableLink: { maxWidth: '100%', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  name: { fontWeight: tokens.fontWeightSemibold },
})

type DetailsLinkProps = { id: string; label: string; cover?: boolean }

/** Link to the details of a confirmation. In a table the row has the keyboard focus instead. */
function DetailsLink({ id, label, cover = false }: DetailsLinkProps) {
  const styles = useStyles()
  const card = useCardStyles()
  return (
    <Link
      from="/automation"
      to="/automation"
      search={(now) => ({ ...now, confirmation: id })}
      tabIndex={cover ? 0 : -1}
      className={mergeClasses(card.link, cover ? card.cover : styles.tableLink)}
      title={label}
      dir="auto"
    >
      {label}
    </Link>
  )
}

const getAddress = ({ reminderType, phoneNumber, email }: ListedConfirmation) =>
  (reminderType === 'sms' ? phoneNumber : email) ?? 'No address'

type CellProps = { confirmation: ListedConfirmation }

const SentCell = ({ confirmation }: CellProps) => <TwoLineCell {...describeSending(confirmation, useFormatInstant())} />

const ResponseCell = ({ confirmation }: CellProps) => (
  <TwoLineCell {...describeResponse(confirmation, useFormatInstant())} />
)

const AppointmentTime = ({ at }: { at: string }) => useFormatInstant()(at)

/** Returns the columns of the list in the order of the specification; the table adds Actions. */
export const createConfirmationColumns = (isLinked: boolean): readonly Column<ListedConfirmation>[] => [
  {
    id: 'patient',
    header: 'Patient',
    width: '18%',
    tight: '21%',
    renderCell: ({ id, patientName }) => (
      <Person
        name={patientName}
        size={32}
        {...(isLinked ? { renderName: () => <DetailsLink id={id} label={patientName} /> } : {})}
      />
    ),
  },
  {
    id: 'appointment',
    header: 'Appointment',
    width: '16%',
    tight: '24%',
    renderCell: ({ appointmentDate }) => <AppointmentTime at={appointmentDate} />,
  },
  {
    id: 'method',
    header: 'Method',
    width: '14%',
    tight: 'hidden',
    renderCell: (confirmation) => (
      <TwoLineCell top={methodLabels[confirmation.reminderType]} bottom={getAddress(confirmation)} />
    ),
  },
  {
    id: 'status',
    header: 'Status',
    width: '124px',
    tight: '112px',
    renderCell: ({ status }) => <StatusBadge status={status} />,
  },
  {
    id: 'sent',
    header: 'Sent',
    width: '16%',
    tight: 'hidden',
    renderCell: (confirmation) => <SentCell confirmation={confirmation} />,
  },
  { id: 'response', header: 'Response', renderCell: (confirmation) => <ResponseCell confirmation={confirmation} /> },
]

/** Width of the buttons of a row together. */
export const actionsWidth = '152px'

/** Column heads of the list while it is loading. */
export const confirmationSkeletonColumns = [
  ...createConfirmationColumns(false),
  { header: 'Actions', width: actionsWidth },
]

/** A confirmation in the list on a narrow screen. */
export function ConfirmationCard({ confirmation, isLinked }: CellProps & { isLinked: boolean }) {
  const styles = useStyles()
  const card = useCardStyles()
  const { id, patientName, appointmentDate, reminderType, status } = confirmation
  const response = describeResponse(confirmation, useFormatInstant())
  return (
    <span className={card.card}>
      {isLinked ? (
        <DetailsLink id={id} label={patientName} cover />
      ) : (
        <span className={styles.name} dir="auto">
          {patientName}
        </span>
      )}
      <StatusBadge status={status} />
      <SecondaryText className={card.wide}>
        <AppointmentTime at={appointmentDate} />, {methodLabels[reminderType].toLowerCase()}
      </SecondaryText>
      {response.top !== '-' && <SecondaryText className={card.wide}>{joinLines(response)}</SecondaryText>}
    </span>
  )
}
