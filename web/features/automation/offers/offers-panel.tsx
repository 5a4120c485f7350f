import { Link as FluentLink, makeStyles, tokens } from '@fluentui/react-components'
import { CalendarAddRegular } from '@fluentui/react-icons/svg/calendar-add'
import { CalendarLtrRegular } from '@fluentui/react-icons/svg/calendar-ltr'
import { OpenRegular } from '@fluentui/react-icons/svg/open'
import { PersonRegular } from '@fluentui/react-icons/svg/person'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { SlotOffer } from '#contracts/confirmations.ts'
import { errorMessage } from '#web/api/call.ts'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { useFormatInstant } from '#web/entities/practices/practice-time.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Person } from '#web/ui/person.tsx'
import type { MenuAction } from '#web/ui/menu-action.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { TableSkeleton } from '#web/ui/table-skeleton.tsx'
import { SecondaryText, TwoLineCell } from '#web/ui/text.tsx'
import { configQuery, offersPageSize, offersQuery } from '../api.ts'
import { methodLabels } from '../confirmations/labels.ts'
import { describeOutcome, offerBadges } from './offer-labels.ts'

const useStyles = makeStyles({
  card: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) auto',
    columnGap: '8px',
    rowGap: '4px',
    alignItems: 'center',
  },
  name: { fontWeight: tokens.fontWeightSemibold, overflowWrap: 'anywhere' },
  wide: { gridColumn: '1 / -1' },
})

type CellProps = { offer: SlotOffer }

const TimeCell = ({ offer: { startsAt, providerName } }: CellProps) => (
  <TwoLineCell top={useFormatInstant()(startsAt)} bottom={providerName} />
)

function OutcomeCell({ offer }: CellProps) {
  const { top, bottom } = describeOutcome(offer, useFormatInstant())
  return <TwoLineCell top={top} bottom={bottom} />
}

/** Link to the page that the patient sees, where messages are only stored. */
const AnswerLink = ({ url }: { url: string }) => (
  <FluentLink href={url} target="_blank" rel="noreferrer">
    Answer as the patient
  </FluentLink>
)

function OfferStatus({ offer: { status } }: CellProps) {
  return <StatusBadge {...offerBadges[status]} />
}

const columns: readonly Column<SlotOffer>[] = [
  {
    id: 'patient',
    header: 'Patient',
    width: '22%',
    renderCell: ({ patientName }) => <Person name={patientName} size={32} />,
  },
  { id: 'time', header: 'Time', width: '22%', renderCell: (offer) => <TimeCell offer={offer} /> },
  {
    id: 'method',
    header: 'Method',
    width: '18%',
    renderCell: ({ channel, answerUrl, delivery }) => (
      <TwoLineCell
        top={methodLabels[channel]}
        bottom={answerUrl ? <AnswerLink url={answerUrl} /> : delivery === 'outbox' ? 'kept in the outbox' : null}
      />
    ),
  },
  { id: 'status', header: 'Status', width: '124px', renderCell: (offer) => <OfferStatus offer={offer} /> },
  { id: 'outcome', header: 'Outcome', renderCell: (offer) => <OutcomeCell offer={offer} /> },
]

const skeletonColumns = [...columns, { header: 'Actions', width: '64px' }]

/** An offer in the list on a narrow screen. */
function OfferCard({ offer }: CellProps) {
  const styles = useStyles()
  const formatInstant = useFormatInstant()
  const { patientName, startsAt, providerName, answerUrl } = offer
  const { top, bottom } = describeOutcome(offer, formatInstant)
  return (
    <span className={styles.card}>
      <span className={styles.name} dir="auto">
        {patientName}
      </span>
      <OfferStatus offer={offer} />
      <SecondaryText className={styles.wide}>
        {formatInstant(startsAt)}, {providerName}
      </SecondaryText>
      <SecondaryText className={styles.wide}>{bottom === null ? top : `${top}, ${bottom}`}</SecondaryText>
      {answerUrl && (
        <span className={styles.wide}>
          <AnswerLink url={answerUrl} />
        </span>
      )}
    </span>
  )
}

/** The offers of freed slots to the waitlist, latest first; hidden where the practice makes none. */
export function OffersPanel() {
  const { data: config } = useQuery(configQuery)
  // The cursors of the pages before and of this one; the first page has none.
  const [cursors, setCursors] = useState<readonly (string | undefined)[]>([undefined])
  const offers = useQuery(offersQuery(cursors.at(-1)))
  if (!config?.offerFreedSlots && !offers.data?.total) return null
  const page = cursors.length
  const open = (wanted: number) => {
    const next = offers.data?.next
    if (wanted < page) setCursors(cursors.slice(0, wanted))
    else if (next)
      setCursors([...cursors, new URL(next, window.location.origin).searchParams.get('cursor') ?? undefined])
  }
  return (
    <Panel
      title="Offers to the Waitlist"
      note={config?.offerFreedSlots ? 'freed times, one patient after the other' : 'switched off'}
      flush
    >
      <OffersList offers={offers} page={page} onPage={open} />
    </Panel>
  )
}

type OffersListProps = {
  offers: ReturnType<typeof useQuery<{ items: SlotOffer[]; total: number; next: string | null }>>
  page: number
  onPage: (page: number) => void
}

/** The list with its states loading, failed and empty. */
function OffersList({ offers: { data, error, isPending, isPlaceholderData, refetch }, page, onPage }: OffersListProps) {
  const navigate = useNavigate()
  if (isPending) return <TableSkeleton label="Loading offers" rows={3} columns={skeletonColumns} />
  if (error && (!data || isPlaceholderData))
    return <ErrorState title="Failed to fetch offers" hint={errorMessage(error)} onRetry={() => void refetch()} />
  if (!data || data.items.length === 0)
    return (
      <EmptyState
        icon={CalendarAddRegular}
        title="No offers yet"
        hint="When a time becomes free, the patient who has waited longest is asked first."
      />
    )
  const listActions = ({ patientId, appointmentId, answerUrl }: SlotOffer): MenuAction[] => [
    ...(appointmentId
      ? [
          {
            label: 'Open appointment',
            icon: CalendarLtrRegular,
            onClick: () => void navigate({ to: '/appointments', search: { appointment: appointmentId } }),
          },
        ]
      : []),
    {
      label: 'Open patient',
      icon: PersonRegular,
      onClick: () => void navigate({ to: '/patients/$patientId', params: { patientId } }),
    },
    ...(answerUrl
      ? [
          {
            label: 'Answer as the patient',
            icon: OpenRegular,
            onClick: () => void window.open(answerUrl, '_blank', 'noreferrer'),
          },
        ]
      : []),
  ]
  return (
    <DataTable
      label="Offers"
      columns={columns}
      rows={data.items}
      getId={({ id }) => id}
      getName={({ patientName }) => patientName}
      renderCard={(offer) => <OfferCard offer={offer} />}
      busy={isPlaceholderData}
      paging={{ page, pageSize: offersPageSize, total: data.total, onPage }}
      actions={listActions}
      isNested
    />
  )
}
