import { formatCount, formatName, formatNumber } from '#web/ui/format.ts'
import { Checkbox, makeStyles, mergeClasses, Switch, Text, tokens } from '@fluentui/react-components'
import { DismissCircle16Regular } from '@fluentui/react-icons/svg/dismiss-circle'
import { PeopleTeam16Regular } from '@fluentui/react-icons/svg/people-team'
import { PersonAdd16Regular } from '@fluentui/react-icons/svg/person-add'
import { PersonQuestionMark16Regular } from '@fluentui/react-icons/svg/person-question-mark'
import { type ReactNode, useState } from 'react'
import type { ImportPreview, PreviewRow } from '#contracts/patient-import.ts'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { Tab, TabList } from '#web/ui/tabs.tsx'
import { SecondaryText, TwoLineCell } from '#web/ui/text.tsx'
import { type DuplicateAnswers, findRowsOverLimit, formatPhone, noRoomLabel } from './import-labels.ts'

const useStyles = makeStyles({
  counts: { display: 'grid', gridTemplateColumns: 'repeat(3, minmax(0, 1fr))', margin: 0 },
  fourCounts: {
    gridTemplateColumns: 'repeat(4, minmax(0, 1fr))',
    '@media (max-width: 639px)': { gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' },
  },
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
  duplicate: { color: tokens.colorNeutralForeground2 },
  question: { color: tokens.colorStatusWarningForeground1 },
  invalid: { color: tokens.colorStatusDangerForeground1 },
  switch: { padding: '4px 12px', borderTop: `1px solid ${tokens.colorNeutralStroke2}` },
  tabs: { padding: '6px 8px 2px', borderTop: `1px solid ${tokens.colorNeutralStroke2}`, overflowX: 'auto' },
  row: { color: tokens.colorNeutralForeground3 },
  card: { display: 'grid', rowGap: '6px', justifyItems: 'start', overflowWrap: 'anywhere' },
  empty: { padding: '24px 20px', borderTop: `1px solid ${tokens.colorNeutralStroke2}` },
})

type Kind = PreviewRow['status']

const kinds = {
  new: ['New', PersonAdd16Regular, 'will be added'],
  duplicate: ['Duplicate', PeopleTeam16Regular, 'are registered already'],
  question: ['Question', PersonQuestionMark16Regular, 'may be registered already'],
  invalid: ['Invalid', DismissCircle16Regular, 'cannot be read, left out'],
} as const

function KindMark({ kind }: { kind: Kind }) {
  const styles = useStyles()
  const [label, Icon] = kinds[kind]
  return (
    <span className={`${styles.kind} ${styles[kind]}`}>
      <Icon aria-hidden />
      {label}
    </span>
  )
}

const formatRowName = ({ patient, row }: PreviewRow) => formatName(patient).trim() || `Row ${row}`
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

type AnswerProps = {
  answers: DuplicateAnswers
  /** Called when the user says that a row is another person (`isOther`), or takes that back. */
  onAdd: (row: number, isOther: boolean) => void
}

type ImportCheckProps = AnswerProps & {
  preview: ImportPreview
  onInclude: (include: boolean) => void
  /** Number of importable rows that exceed the plan's limit. */
  overLimit: number
  /** Switch to restore shortened postal codes. */
  postalCodes: ReactNode
}

/** Preview of an import: counts by result, and the rows with the reasons. */
export function ImportCheck({ preview, answers, onInclude, onAdd, overLimit, postalCodes }: ImportCheckProps) {
  const styles = useStyles()
  const [shown, setShown] = useState<Shown>(preview.question > 0 ? 'question' : 'first')
  const { includeDuplicates } = answers
  const likely = preview.duplicate + preview.question
  return (
    <>
      <ResultCounts preview={preview} answers={answers} isLimited={overLimit > 0} />
      {likely > 0 && (
        <div className={styles.switch}>
          <Switch
            checked={includeDuplicates}
            onChange={(_, { checked }) => onInclude(checked)}
            label={
              likely === 1
                ? 'Add the duplicate as a new patient too'
                : preview.question > 0
                  ? `Add all ${formatNumber(likely)} as new patients too, whatever the answers`
                  : `Add the ${formatNumber(likely)} duplicates as new patients too`
            }
          />
        </div>
      )}
      {postalCodes}
      <TabList
        className={styles.tabs}
        size="small"
        selectedValue={shown}
        onTabSelect={(_, { value }) => setShown(value as Shown)}
        aria-label="Rows"
      >
        <Tab value="first">First {formatCount(preview.rows.length, 'row')}</Tab>
        {preview.question > 0 && <Tab value="question">Question, {formatNumber(preview.question)}</Tab>}
        <Tab value="duplicate">Duplicate, {formatNumber(preview.duplicate)}</Tab>
        <Tab value="invalid">Invalid, {formatNumber(preview.invalid)}</Tab>
      </TabList>
      <PreviewRows key={shown} preview={preview} answers={answers} onAdd={onAdd} shown={shown} />
    </>
  )
}

type ResultCountsProps = { preview: ImportPreview; answers: DuplicateAnswers; isLimited: boolean }

function ResultCounts({ preview, answers: { includeDuplicates, addedRows }, isLimited }: ResultCountsProps) {
  const styles = useStyles()
  const describe = (kind: Kind) => {
    if ((kind === 'duplicate' || kind === 'question') && includeDuplicates) return 'will be added as well'
    if (kind === 'question' && addedRows.size > 0) return `${formatNumber(addedRows.size)} of them will be added`
    return kind === 'new' && isLimited ? 'as far as the plan allows' : kinds[kind][2]
  }
  return (
    <div className={mergeClasses(styles.counts, preview.question > 0 && styles.fourCounts)}>
      {(['new', 'duplicate', ...(preview.question > 0 ? (['question'] as const) : []), 'invalid'] as const).map(
        (kind) => (
          <div key={kind} className={styles.count}>
            <KindMark kind={kind} />
            <Text className={styles.number}>{formatNumber(preview[kind])}</Text>
            <SecondaryText>{describe(kind)}</SecondaryText>
          </div>
        ),
      )}
    </div>
  )
}

const createColumns = (rowsOverLimit: ReadonlySet<number>, answer: AnswerProps): Column<PreviewRow>[] => [
  {
    id: 'row',
    header: 'Row',
    width: '88px',
    renderCell: ({ row }) => <RowNumber row={row} />,
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
      <>
        <TwoLineCell
          top={rowsOverLimit.has(row.row) ? noRoomLabel : describeRowStatus(row)}
          bottom={formatRowContact(row)}
          wrap
        />
        <RowAnswer row={row} {...answer} />
      </>
    ),
  },
]

/** The answer to the question whether a row is another person. */
function RowAnswer({ row, answers: { includeDuplicates, addedRows }, onAdd }: AnswerProps & { row: PreviewRow }) {
  if (row.status !== 'question' || includeDuplicates) return null
  return (
    <Checkbox
      checked={addedRows.has(row.row)}
      onChange={(_, { checked }) => onAdd(row.row, checked === true)}
      label="Another person: add as a new patient"
      aria-label={`${formatRowName(row)} is another person: add as a new patient`}
    />
  )
}

function RowNumber({ row }: { row: number }) {
  return <span className={useStyles().row}>{formatNumber(row)}</span>
}

function PreviewCard({ row, ...answer }: AnswerProps & { row: PreviewRow }) {
  return (
    <div className={useStyles().card}>
      <TwoLineCell
        top={formatRowName(row)}
        bottom={[`Row ${formatNumber(row.row)}`, formatRowDetail(row)].filter(Boolean).join(', ')}
        strong
        wrap
      />
      {row.patient.address && <SecondaryText>{row.patient.address}</SecondaryText>}
      <KindMark kind={row.status} />
      <SecondaryText>{describeRowStatus(row)}</SecondaryText>
      <RowAnswer row={row} {...answer} />
    </div>
  )
}

type PreviewRowsProps = AnswerProps & { preview: ImportPreview; shown: Shown }

function PreviewRows({ preview, shown, ...answer }: PreviewRowsProps) {
  const styles = useStyles()
  const [page, setPage] = useState(1)
  const rows = shown === 'first' ? preview.rows : preview.exceptions.filter(({ status }) => status === shown)
  const unlisted = shown === 'first' ? 0 : preview[shown] - rows.length
  return (
    <>
      {rows.length === 0 ? (
        <div className={styles.empty}>
          <Text>{shown === 'first' ? 'There are no rows in this file.' : 'None'}</Text>
        </div>
      ) : (
        <DataTable
          isNested
          label="Rows"
          columns={createColumns(findRowsOverLimit(preview, answer.answers), answer)}
          rows={rows.slice((page - 1) * perPage, page * perPage)}
          getId={({ row }) => String(row)}
          getName={formatRowName}
          {...(rows.length > perPage
            ? { paging: { page, pageSize: perPage, total: rows.length, onPage: setPage } }
            : {})}
          renderCard={(row) => <PreviewCard row={row} {...answer} />}
        />
      )}
      {unlisted > 0 && (
        <div className={styles.empty}>
          <SecondaryText>
            {formatNumber(unlisted)} more are not shown here; the report after the import lists all of them.
          </SecondaryText>
        </div>
      )}
    </>
  )
}
