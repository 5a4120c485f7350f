import { makeStyles, mergeClasses } from '@fluentui/react-components'
import { Link } from '@tanstack/react-router'
import type { Form } from '#contracts/forms.ts'
import { useCardStyles } from '#web/ui/card-styles.ts'
import type { Column } from '#web/ui/data-table.tsx'
import { useFormatDay, useFormatInstant } from '#web/entities/practices/practice-time.ts'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Person, RecordId } from '#web/ui/person.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { SecondaryText, TwoLineCell } from '#web/ui/text.tsx'
import { formatFormName, isDraft } from '../labels.ts'
import { formTypeLabels } from '#web/entities/forms/form-labels.ts'
import { AnalysisCell } from './analysis-cell.tsx'

const useStyles = makeStyles({
  card: { rowGap: '8px' },
  titles: { display: 'grid', minWidth: 0 },
  above: { position: 'relative', zIndex: 1, justifySelf: 'start' },
  end: { position: 'relative', zIndex: 1, justifySelf: 'end' },
  review: { whiteSpace: 'nowrap', minWidth: '72px' },
})

const getDate = ({ submittedAt, createdAt }: Form) => submittedAt ?? createdAt

/** Link to a form. In a table the row has the keyboard focus instead. */
function FormLink({ form, cover = false }: { form: Form; cover?: boolean }) {
  const styles = useCardStyles()
  return (
    <Link
      to="/forms/$formId"
      params={{ formId: form.id }}
      tabIndex={cover ? 0 : -1}
      className={mergeClasses(styles.link, cover && styles.cover)}
      title={form.title}
      dir="auto"
    >
      {form.title}
    </Link>
  )
}

const TitleCell = ({ form }: { form: Form }) => (
  <TwoLineCell top={<FormLink form={form} />} bottom={useFormatInstant()(getDate(form))} strong />
)

/** Columns of the list in the order of the specification; the table adds Actions. */
export const formColumns: readonly Column<Form>[] = [
  {
    id: 'title',
    header: 'Form Details',
    width: '22%',
    renderCell: (form) => <TitleCell form={form} />,
  },
  {
    id: 'patient',
    header: 'Patient',
    width: '22%',
    renderCell: ({ patientName, patientId }) => (
      <Person name={patientName} size={32} detail={<RecordId id={patientId} />} />
    ),
  },
  { id: 'type', header: 'Type', width: '12%', tight: 'hidden', renderCell: ({ formType }) => formTypeLabels[formType] },
  {
    id: 'status',
    header: 'Status',
    width: '124px',
    tight: '112px',
    renderCell: ({ status }) => <StatusBadge status={status} />,
  },
  { id: 'analysis', header: 'AI Analysis', renderCell: (form) => <AnalysisCell form={form} /> },
]

/** Width of the column with the button and the menu of a form. */
export const actionsWidth = '152px'

/** Column heads of the list while it is loading. */
export const formSkeletonColumns = [...formColumns, { header: 'Actions', width: actionsWidth }]

/** Button that opens the review of a form; a draft is opened to be filled in. */
export function OpenFormButton({ form, canFill, tabIndex }: { form: Form; canFill: boolean; tabIndex?: number }) {
  const styles = useStyles()
  const isFilledIn = canFill && isDraft(form)
  const label = isFilledIn ? 'Fill in' : form.status === 'pending' ? 'Review' : 'Open'
  return (
    <LinkButton
      to={isFilledIn ? '/forms/$formId/fill' : '/forms/$formId'}
      params={{ formId: form.id }}
      size="small"
      className={styles.review}
      tabIndex={tabIndex}
      aria-label={`${label} ${formatFormName(form)}`}
    >
      {label}
    </LinkButton>
  )
}

/** A form in the list on a narrow screen. */
export function FormCard({ form, canFill }: { form: Form; canFill: boolean }) {
  const styles = useStyles()
  const card = useCardStyles()
  const formatDay = useFormatDay()
  return (
    <span className={mergeClasses(card.card, styles.card)}>
      <span className={styles.titles}>
        <FormLink form={form} cover />
        <SecondaryText>
          {form.patientName}, {formatDay(getDate(form))}
        </SecondaryText>
      </span>
      <StatusBadge status={form.status} />
      <span className={styles.above}>
        <AnalysisCell form={form} />
      </span>
      <span className={styles.end}>
        <OpenFormButton form={form} canFill={canFill} />
      </span>
    </span>
  )
}
