import { makeStyles, Switch, Tab, TabList, Text, tokens } from '@fluentui/react-components'
import { DismissCircle16Regular, PeopleTeam16Regular, PersonAdd16Regular } from '@fluentui/react-icons'
import { useState } from 'react'
import type { ImportPreview, PreviewRow } from '#contracts/patient-import.ts'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { SecondaryText, TwoLineCell } from '#web/ui/text.tsx'
import { formatNumber, noRoomLabel, findRowsOverLimit, formatPhone } from './import-labels.ts'

const useStyles = makeStyles({
  counts: { display: 'grid', gridTemplateColumns: 'repeat(3, minmax(0, 1fr))', margin: 0 },
  count: {
    display: 'grid',
    alignContent: 'start',
    rowGap: '2px',
    padding: '16px 20px',
    borderLeft: `1px solid ${tokens.colorNeutralStroke2}`,
    ':first-child': { borderLeft: 'none' },
    '@media (max-width: 639px)': { padding: '12px' },
  },
  number: {
    fontSize: tokens.fontSizeHero700,
    lineHeight: tokens.lineHeightHero700,
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.015em',
    fontVariantNumeric: 'tabular-nums',
    '@media (max-width: 639px)': { fontSize: tokens.fontSizeBase600, lineHeight: tokens.lineHeightBase600 },
  },
  kind: {
    display: 'inline-flex',
    alignItems: 'center',
    columnGap: '6px',
    verticalAlign: 'middle',
    fontWeight: tokens.fontWeightMedium,
  },
  new: { color: tokens.colorStatusSuccessForeground1 },
  duplicate: { color: tokens.colorStatusWarningForeground1 },
  invalid: { color: tokens.colorStatusDangerForeground1 },
  switch: { padding: '4px 12px', borderTop: `1px solid ${tokens.colorNeutralStroke2}` },
  tabs: { padding: '6px 8px 2px', borderTop: `1px solid ${tokens.colorNeutralStroke2}`, overflowX: 'auto' },
  row: { color: tokens.colorNeutralForeground3 },
  card: { display: 'grid', rowGap: '6px', justifyItems: 'start', overflowWrap: 'anywhere' },
  none: { padding: '24px 20px', borderTop: `1px solid ${tokens.colorNeutralStroke2}` },
})

type Kind = PreviewRow['status']

const kinds = {
  new: ['New', PersonAdd16Regular, 'will be added'],
  duplicate: ['Duplicate', PeopleTeam16Regular, 'seem to be here already'],
  invalid: ['Invalid', DismissCircle16Regular, 'cannot be read, they stay out'],
} as const

function KindMark({ kind }: { kind: Kind }) {
  const styles = useStyles()
  const [word, Icon] = kinds[kind]
  return (
    <span className={`${styles.kind} ${styles[kind]}`}>
      <Icon aria-hidden />
      {word}
    </span>
  )
}

const formatRowName = ({ patient: { firstName, lastName }, row }: PreviewRow) =>
  `${firstName} ${lastName}`.trim() || `Row ${row}`
const formatRowDetail = ({ patient: { dateOfBirth, phone, email, deceasedOn } }: PreviewRow) =>
  [
    dateOfBirth && formatDate(dateOfBirth),
    deceasedOn && `died ${formatDate(deceasedOn)}`,
    phone ? formatPhone(phone) : email,
  ]
    .filter(Boolean)
    .join(', ')
const describeRowStatus = ({ reasons, status }: PreviewRow) =>
  reasons.join(', ') || (status === 'new' ? 'Will be added' : '')
const formatRowContact = ({ patient: { address, email, phone } }: PreviewRow) => address ?? (phone ? email : null)

const perPage = 20

type Shown = 'first' | Exclude<Kind, 'new'>

type ImportCheckProps = {
  preview: ImportPreview
  includeDuplicates: boolean
  onInclude: (include: boolean) => void
  /** How many of those to be added the plan has no room for. */
  stayOut: number
}

/** Before anything happens: how many, which not, and why. */
export function ImportCheck({ preview, includeDuplicates, onInclude, stayOut }: ImportCheckProps) {
  const styles = useStyles()
  const [shown, show] = useState<Shown>('first')
  const [page, turn] = useState(1)
  const without = findRowsOverLimit(preview, includeDuplicates)
  const rows = shown === 'first' ? preview.rows : preview.exceptions.filter(({ status }) => status === shown)
  const columns: Column<PreviewRow>[] = [
    {
      id: 'row',
      header: 'Row',
      width: '88px',
      renderCell: ({ row }) => <span className={styles.row}>{formatNumber(row)}</span>,
    },
    {
      id: 'patient',
      header: 'Patient',
      width: '30%',
      renderCell: (row) => <TwoLineCell top={formatRowName(row)} bottom={formatRowDetail(row)} strong />,
    },
    { id: 'status', header: 'Result', width: '124px', renderCell: ({ status }) => <KindMark kind={status} /> },
    {
      id: 'why',
      header: 'Why',
      renderCell: (row) => (
        <TwoLineCell
          top={without.has(row.row) ? noRoomLabel : describeRowStatus(row)}
          bottom={formatRowContact(row)}
          wrap
        />
      ),
    },
  ]
  const select = (next: Shown) => {
    show(next)
    turn(1)
  }
  const unlisted = preview.duplicate + preview.invalid - preview.exceptions.length
  return (
    <>
      <div className={styles.counts}>
        {(['new', 'duplicate', 'invalid'] as const).map((kind) => (
          <div key={kind} className={styles.count}>
            <KindMark kind={kind} />
            <Text className={styles.number}>{formatNumber(preview[kind])}</Text>
            <SecondaryText>
              {kind === 'duplicate' && includeDuplicates
                ? 'will be added as well'
                : kind === 'new' && stayOut > 0
                  ? 'as far as there is room'
                  : kinds[kind][2]}
            </SecondaryText>
          </div>
        ))}
      </div>
      {preview.duplicate > 0 && (
        <div className={styles.switch}>
          <Switch
            checked={includeDuplicates}
            onChange={(_, { checked }) => onInclude(checked)}
            label={
              preview.duplicate === 1
                ? 'Add the duplicate as a new patient too'
                : `Add the ${formatNumber(preview.duplicate)} duplicates as new patients too`
            }
          />
        </div>
      )}
      <TabList
        className={styles.tabs}
        size="small"
        selectedValue={shown}
        onTabSelect={(_, { value }) => select(value as Shown)}
        aria-label="Rows"
      >
        <Tab value="first">First {formatNumber(preview.rows.length)} rows</Tab>
        <Tab value="duplicate">Duplicate, {formatNumber(preview.duplicate)}</Tab>
        <Tab value="invalid">Invalid, {formatNumber(preview.invalid)}</Tab>
      </TabList>
      {rows.length === 0 ? (
        <div className={styles.none}>
          <Text>{shown === 'first' ? 'There are no rows in this file.' : 'None. Nothing to look at here.'}</Text>
        </div>
      ) : (
        <DataTable
          bare
          label="Rows"
          columns={columns}
          rows={rows.slice((page - 1) * perPage, page * perPage)}
          getId={({ row }) => String(row)}
          getName={formatRowName}
          {...(rows.length > perPage ? { paging: { page, pageSize: perPage, total: rows.length, onPage: turn } } : {})}
          renderCard={(row) => (
            <div className={styles.card}>
              <TwoLineCell
                top={formatRowName(row)}
                bottom={[`Row ${formatNumber(row.row)}`, formatRowDetail(row)].filter(Boolean).join(', ')}
                strong
                wrap
              />
              <KindMark kind={row.status} />
              <SecondaryText>{describeRowStatus(row)}</SecondaryText>
            </div>
          )}
        />
      )}
      {shown !== 'first' && unlisted > 0 && (
        <div className={styles.none}>
          <SecondaryText>
            {formatNumber(unlisted)} more are not shown here; the report after the import names every one.
          </SecondaryText>
        </div>
      )}
    </>
  )
}
