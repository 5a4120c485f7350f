import { Button, makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import { ArrowRight16Regular } from '@fluentui/react-icons/svg/arrow-right'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { acceptChartLine, type ChartField, type ChartLine, listChartLines } from '#contracts/form-chart.ts'
import type { Form } from '#contracts/forms.ts'
import { ApiProblem, call, errorMessage } from '#web/api/call.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { formKeys } from '#web/entities/forms/form-keys.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { useReviewStyles } from './review-styles.ts'

const useStyles = makeStyles({
  head: { display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', columnGap: '12px', padding: '14px 20px 6px' },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
    fontWeight: tokens.fontWeightSemibold,
  },
  list: { listStyleType: 'none', margin: 0, padding: '0 20px 8px' },
  line: {
    display: 'grid',
    gridTemplateColumns: '120px minmax(0, 1fr) auto',
    columnGap: '16px',
    alignItems: 'center',
    padding: '10px 0',
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
    ':first-child': { borderTop: 'none' },
    '@media (max-width: 639px)': { gridTemplateColumns: 'minmax(0, 1fr) auto', rowGap: '2px' },
  },
  field: { color: tokens.colorNeutralForeground3, '@media (max-width: 639px)': { gridColumnEnd: 'span 2' } },
  values: { display: 'flex', flexWrap: 'wrap', columnGap: '8px', alignItems: 'center', overflowWrap: 'anywhere' },
  proposed: { fontWeight: tokens.fontWeightSemibold, minWidth: 0 },
})

const labels: Record<ChartField, string> = {
  phone: 'Phone',
  address: 'Address',
  allergies: 'Allergy',
  medications: 'Medication',
}

/** Returns the query for the lines of a form that differ from the chart; live updates refetch it with the form. */
const chartQuery = (formId: string) => ({
  queryKey: [...formKeys.one(formId), 'chart'],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(listChartLines, { params: { formId } }, signal),
  staleTime: 0,
})

/** The lines of a form that differ from the patient's chart, each with a button that takes it over. Nothing if there are none. */
export function ChartPanel({ form }: { form: Form }) {
  const styles = useStyles()
  const { panel, screenOnly } = useReviewStyles()
  const titleId = useId()
  const queries = useQueryClient()
  const notify = useNotify()
  const mayRead = useHasPermission('clinical:read')
  const mayAccept = useHasPermission('clinical:write')
  const isOffered = mayRead && form.submittedAt !== null && form.status !== 'completed'
  const {
    data: lines = [],
    isLoadingError,
    error: failure,
    refetch,
  } = useQuery({ ...chartQuery(form.id), enabled: isOffered })
  const accept = useMutation({
    mutationFn: ({ field, value }: ChartLine) =>
      call(acceptChartLine, { params: { formId: form.id }, body: { field, value } }),
    onSuccess: (left, line) => {
      queries.setQueryData(chartQuery(form.id).queryKey, left)
      notify({ title: 'Added to the chart', body: `${labels[line.field]}: ${line.proposed}` })
    },
    onError: (error) => {
      const body = error instanceof ApiProblem && error.status === 409 ? error.detail : errorMessage(error)
      notify({ title: 'Failed to update the chart', body, intent: 'error' })
      void queries.invalidateQueries({ queryKey: chartQuery(form.id).queryKey })
    },
  })
  if (isLoadingError)
    return (
      <section className={mergeClasses(panel, screenOnly)} aria-label="Differs from the chart">
        <ErrorState
          isCompact
          title="The form could not be compared with the chart"
          hint={errorMessage(failure)}
          onRetry={() => void refetch()}
        />
      </section>
    )
  if (!isOffered || lines.length === 0) return null
  return (
    <section className={mergeClasses(panel, screenOnly)} aria-labelledby={titleId}>
      <div className={styles.head}>
        <h2 id={titleId} className={styles.title}>
          Differs from the chart
        </h2>
        <SecondaryText>{lines.length === 1 ? '1 line' : `${lines.length} lines`}</SecondaryText>
      </div>
      <ul className={styles.list}>
        {lines.map((line) => (
          <li key={`${line.field} ${line.value}`} className={styles.line}>
            <span className={styles.field}>{labels[line.field]}</span>
            <span className={styles.values} dir="auto">
              <SecondaryText>{line.current ?? 'Not in the chart'}</SecondaryText>
              <ArrowRight16Regular aria-label="becomes" />
              <span className={styles.proposed}>
                {line.field === 'allergies' || line.field === 'medications' ? `${line.value === '' ? '' : '+ '}` : ''}
                {line.proposed}
              </span>
            </span>
            {mayAccept && (
              <Button
                size="small"
                aria-label={`Accept ${labels[line.field]}: ${line.proposed}`}
                disabledFocusable={accept.isPending}
                onClick={() => !accept.isPending && accept.mutate(line)}
              >
                Accept
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
