import { makeStyles, mergeClasses, Radio, RadioGroup, Select, Text, tokens } from '@fluentui/react-components'
import { CalendarQuestionMarkRegular } from '@fluentui/react-icons/svg/calendar-question-mark'
import { CheckmarkCircle16Filled } from '@fluentui/react-icons/svg/checkmark-circle'
import { ErrorCircleRegular } from '@fluentui/react-icons/svg/error-circle'
import { QuestionCircle16Regular } from '@fluentui/react-icons/svg/question-circle'
import { SubtractCircle16Regular } from '@fluentui/react-icons/svg/subtract-circle'
import { useEffect, useRef } from 'react'
import { DateFormat, ImportField, type ImportPreview } from '#contracts/patient-import.ts'
import { isClinicalField } from '#contracts/patients.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import type { ImportFailure } from './use-import-draft.ts'
import { readAmbiguousDate, type ColumnMapping, targetLabels } from './import-labels.ts'

const useStyles = makeStyles({
  head: {
    padding: '16px 20px',
    display: 'grid',
    rowGap: '12px',
    ':focus': { outline: 'none' },
    '@media (max-width: 639px)': { padding: '12px' },
  },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
    fontWeight: tokens.fontWeightSemibold,
  },
  choice: { marginLeft: '-8px', columnGap: '8px', rowGap: '0', flexWrap: 'wrap' },
  truncated: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', display: 'block' },
  select: { width: '100%', maxWidth: '240px' },
  mark: {
    display: 'inline-flex',
    alignItems: 'center',
    columnGap: '6px',
    fontSize: tokens.fontSizeBase200,
    color: tokens.colorNeutralForeground3,
    whiteSpace: 'nowrap',
    verticalAlign: 'middle',
  },
  known: { color: tokens.colorStatusSuccessForeground1 },
  guess: { color: tokens.colorStatusWarningForeground1 },
  card: { display: 'grid', rowGap: '8px', overflowWrap: 'anywhere' },
})

type FileColumn = ImportPreview['columns'][number]

function MatchMark({ kind }: { kind: 'known' | 'guess' | 'none' }) {
  const styles = useStyles()
  const [label, Icon] = {
    known: ['Recognized', CheckmarkCircle16Filled] as const,
    guess: ['Please check', QuestionCircle16Regular] as const,
    none: ['Left out', SubtractCircle16Regular] as const,
  }[kind]
  return (
    <span className={mergeClasses(styles.mark, kind !== 'none' && styles[kind])}>
      <Icon aria-hidden />
      {label}
    </span>
  )
}

type TargetSelectProps = { heading: string; field: ImportField | null; onChange: (field: ImportField | null) => void }

function TargetSelect({ heading, field, onChange }: TargetSelectProps) {
  const canWriteClinical = useHasPermission('clinical:write')
  const targets = ImportField.options.filter((target) => canWriteClinical || !isClinicalField(target))
  return (
    <Select
      className={useStyles().select}
      value={field ?? ''}
      aria-label={`Import ${heading} as`}
      onChange={(_, { value }) => onChange(ImportField.safeParse(value).data ?? null)}
    >
      <option value="">Do not import</option>
      {targets.map((target) => (
        <option key={target} value={target}>
          {targetLabels[target]}
        </option>
      ))}
    </Select>
  )
}

type DateQuestionProps = {
  ambiguousDates: ImportPreview['ambiguousDates']
  answer: DateFormat | null
  onAnswer: (format: DateFormat) => void
}

/** Asks how ambiguous dates are written; the format is never guessed. */
function DateQuestion({ ambiguousDates, answer, onAnswer }: DateQuestionProps) {
  const styles = useStyles()
  const [first, ...others] = ambiguousDates
  const readings = first && readAmbiguousDate(first.value)
  if (!first) return null
  const title = readings
    ? `Is ${first.value} in ${readings.months[0]} or in ${readings.months[1]}?`
    : `How should ${first.value} be read?`
  const also = others.map(({ value, row }) => `${value} in row ${row}`).join(', ')
  return (
    <Notice tone="warning" icon={CalendarQuestionMarkRegular} title={title} role="status">
      <Text>
        It is in row {first.row} and can be read both ways{also && `, as can ${also}`}. Your answer applies to the whole
        file.
      </Text>
      <RadioGroup
        layout="horizontal"
        className={styles.choice}
        value={answer ?? ''}
        aria-label="How to read the dates"
        onChange={(_, { value }) => onAnswer(DateFormat.parse(value))}
      >
        <Radio value="mdy" label={`Month first${readings ? `, ${readings.monthFirst}` : ''}`} />
        <Radio value="dmy" label={`Day first${readings ? `, ${readings.dayFirst}` : ''}`} />
      </RadioGroup>
    </Notice>
  )
}

type ImportColumnsProps = DateQuestionProps & {
  columns: readonly FileColumn[]
  mapping: ColumnMapping
  failure: ImportFailure | null
  onMap: (heading: string, field: ImportField | null) => void
}

/** Columns of the file with the fields they are imported to, each with a sample value, so that wrong guesses are noticed. */
export function ImportColumns({ columns, mapping, failure, onMap, ...dates }: ImportColumnsProps) {
  const styles = useStyles()
  const getTarget = ({ heading }: FileColumn) => mapping.get(heading) ?? null
  const getMatch = (column: FileColumn) => {
    const field = getTarget(column)
    return field === null ? 'none' : column.isCertain || field !== column.field ? 'known' : 'guess'
  }
  const renderTarget = (column: FileColumn) => (
    <TargetSelect
      heading={column.heading}
      field={getTarget(column)}
      onChange={(field) => onMap(column.heading, field)}
    />
  )
  const tableColumns: Column<FileColumn>[] = [
    {
      id: 'heading',
      header: 'Column in your file',
      width: '22%',
      renderCell: ({ heading }) => (
        <Text weight="semibold" className={styles.truncated} title={heading}>
          {heading}
        </Text>
      ),
    },
    {
      id: 'sample',
      header: 'For example',
      width: '28%',
      renderCell: ({ sample }) => (
        <Text className={styles.truncated} dir="auto" title={sample}>
          {sample || '-'}
        </Text>
      ),
    },
    { id: 'target', header: 'Import as', width: '30%', renderCell: renderTarget },
    { id: 'match', header: 'Match', renderCell: (column) => <MatchMark kind={getMatch(column)} /> },
  ]
  const head = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The submit button is below the last column, the question above the first: the focus moves to the question.
    if (!failure || !head.current) return
    const question = head.current.querySelector<HTMLElement>('input') ?? head.current
    question.focus({ preventScroll: true })
    head.current.scrollIntoView({ block: 'center' })
  }, [failure])
  const recognizedCount = columns.filter((column) => getTarget(column) !== null).length
  return (
    <>
      <div ref={head} tabIndex={-1} className={styles.head}>
        <h2 className={styles.title}>
          {recognizedCount} of {columns.length} columns recognized
        </h2>
        {failure && (
          <Notice tone="error" icon={ErrorCircleRegular} title="Please answer this first" role="alert">
            <Text>{failure.message}</Text>
          </Notice>
        )}
        <DateQuestion {...dates} />
      </div>
      <DataTable
        isNested
        label="Columns"
        columns={tableColumns}
        rows={columns}
        getId={({ heading }) => heading}
        getName={({ heading }) => heading}
        renderCard={(column) => (
          <div className={styles.card}>
            <Text weight="semibold">{column.heading}</Text>
            <SecondaryText>{column.sample || '-'}</SecondaryText>
            {renderTarget(column)}
            <MatchMark kind={getMatch(column)} />
          </div>
        )}
      />
    </>
  )
}
