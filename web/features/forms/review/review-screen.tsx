import { Button, makeStyles, mergeClasses, Skeleton, SkeletonItem, Text, tokens } from '@fluentui/react-components'
import { CheckmarkRegular } from '@fluentui/react-icons/svg/checkmark'
import { EditRegular } from '@fluentui/react-icons/svg/edit'
import { PersonEditRegular } from '@fluentui/react-icons/svg/person-edit'
import { PrintRegular } from '@fluentui/react-icons/svg/print'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Form, FormTemplate } from '#contracts/forms.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { type FormatInstant, useFormatInstant } from '#web/entities/practices/practice-time.ts'
import { HeaderAction } from '#web/ui/header-action.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { NotAllowed } from '#web/ui/not-allowed.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Page } from '#web/ui/page.tsx'
import { Person, RecordId } from '#web/ui/person.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { formQuery, templateQuery, useChangeStatus } from '../api.ts'
import { FormLinkButton } from '../link/link-button.tsx'
import { FormError } from '../form-error.tsx'
import { findConflictAuthors, formatFormName, isDraft } from '../labels.ts'
import { formStatusLabels, formTypeLabels } from '#web/entities/forms/form-labels.ts'
import { useCanFill } from '../use-can-fill.ts'
import { AnalysisPanel } from './analysis-panel.tsx'
import { ChartPanel } from './chart-panel.tsx'
import { AnswersPanel } from './answers-panel.tsx'
import { findStaleFindings, groupQuotes } from './evidence.ts'
import { useReviewStyles } from './review-styles.ts'
import { groupAnswers, listAnswerTexts } from './shown-answers.ts'
import { WaitingPager } from './waiting-pager.tsx'

const narrow = '@media (max-width: 1023px)'

const useStyles = makeStyles({
  top: { display: 'flex', alignItems: 'center', columnGap: '16px', rowGap: '8px', flexWrap: 'wrap' },
  tools: { marginLeft: 'auto', display: 'flex', alignItems: 'center', columnGap: '8px', flexWrap: 'wrap' },
  halves: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 6fr) minmax(0, 5fr)',
    columnGap: '16px',
    rowGap: '12px',
    height: 'calc(100dvh - 188px)',
    minHeight: '480px',
    [narrow]: { gridTemplateColumns: 'minmax(0, 1fr)', height: 'auto', minHeight: 0 },
    '@media print': {
      display: 'block',
      height: 'auto',
      color: 'black',
      '& *': { color: 'black !important' },
    },
  },
  link: {
    maxWidth: '100%',
    display: 'flex',
    color: 'inherit',
    textDecorationLine: 'none',
    borderRadius: tokens.borderRadiusSmall,
    ':hover': { textDecorationLine: 'underline' },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '1px' },
  },
  printed: { display: 'none', '@media print': { display: 'block', color: 'black' } },
  printedTitle: { fontSize: '16pt', fontWeight: 600, margin: '0 0 2pt' },
  printedNote: { margin: '0 0 10pt' },
})

/** Screen of one form: its answers on the left, what was found in them on the right. */
export function ReviewScreen() {
  const { formId } = useParams({ from: '/shell/forms/$formId' })
  const { screenOnly } = useReviewStyles()
  const styles = useStyles()
  const query = useQuery(formQuery(formId))
  const form = query.error && !query.data ? undefined : query.data
  const { formType = 'intake', templateVersion = 1 } = form ?? {}
  const template = useQuery({ ...templateQuery({ formType, templateVersion }), enabled: form !== undefined })
  const status = useStatusButton(form)
  const formatInstant = useFormatInstant()
  const loadError = query.data ? template.error : query.error
  return (
    <Page
      title={form?.title ?? 'Form'}
      subtitle={describeDate(form, formatInstant)}
      hasPrintedTitle
      action={status.button}
    >
      <div className={mergeClasses(styles.top, screenOnly)}>
        {form && <Patient form={form} />}
        <span className={styles.tools}>
          {form && <Tools form={form} />}
          <WaitingPager formId={formId} />
        </span>
      </div>
      {form && status.conflict !== null && <ConflictNotice authors={status.conflict} form={form} />}
      {loadError ? (
        <FormError error={loadError} onRetry={() => void (query.data ? template : query).refetch()} />
      ) : form && template.data !== undefined ? (
        <Review key={form.id} form={form} template={template.data} />
      ) : (
        <Skeleton aria-label="Loading the form">
          <SkeletonItem size={128} />
        </Skeleton>
      )}
    </Page>
  )
}

function describeDate(form: Form | undefined, formatInstant: FormatInstant): string | undefined {
  if (!form) return undefined
  return form.submittedAt === null
    ? 'Forms & Intake, not submitted yet'
    : `Forms & Intake, sent ${formatInstant(form.submittedAt)}`
}

/** The patient, with the state of the form. */
function Patient({ form }: { form: Form }) {
  const styles = useStyles()
  const formatInstant = useFormatInstant()
  const { patientId, patientName, status, reviewedBy, reviewedAt } = form
  return (
    <>
      <Person
        name={patientName}
        detail={<RecordId id={patientId} />}
        renderName={(label) => (
          <Link to="/patients/$patientId" params={{ patientId }} className={styles.link}>
            {label}
          </Link>
        )}
      />
      <StatusBadge status={status} />
      {reviewedAt !== null && (
        <SecondaryText>
          {['Reviewed', reviewedBy?.name && `by ${reviewedBy.name},`, formatInstant(reviewedAt)]
            .filter(Boolean)
            .join(' ')}
        </SecondaryText>
      )}
    </>
  )
}

function Tools({ form }: { form: Form }) {
  const canFill = useCanFill()
  return (
    <>
      {form.status === 'pending' && !isDraft(form) && canFill(form) && (
        <LinkButton to="/forms/$formId/fill" params={{ formId: form.id }} appearance="subtle" icon={<EditRegular />}>
          Edit answers
        </LinkButton>
      )}
      <FormLinkButton form={form} />
      <Button appearance="subtle" icon={<PrintRegular />} aria-label="Print the form" onClick={() => print()} />
    </>
  )
}

const steps = {
  reviewed: { label: 'Mark as reviewed', done: 'Form marked as reviewed' },
  completed: { label: 'Complete', done: 'Form completed' },
} as const

/** Returns the main button of the screen, and who has changed the form since it was loaded when that was refused. */
function useStatusButton(form: Form | undefined) {
  const notify = useNotify()
  const navigate = useNavigate()
  const canWrite = useHasPermission('patients:write')
  const canFill = useCanFill()
  const change = useChangeStatus()
  const [refused, setRefused] = useState<{ formId: string; authors: string } | null>(null)
  const conflict = refused && refused.formId === form?.id ? refused.authors : null
  if (!form || !canWrite || form.status === 'completed') return { button: null, conflict }
  if (isDraft(form)) {
    const fill = () => void navigate({ to: '/forms/$formId/fill', params: { formId: form.id } })
    return { button: canFill(form) && <HeaderAction label="Fill in" icon={<EditRegular />} onClick={fill} />, conflict }
  }
  // Health data is reviewed by clinical staff.
  if (!canFill(form)) return { button: null, conflict }
  const status = form.status === 'pending' ? 'reviewed' : 'completed'
  const send = () => {
    if (change.isPending) return
    setRefused(null)
    change.mutate(
      { form, status },
      {
        onSuccess: () => notify({ title: steps[status].done, body: formatFormName(form) }),
        onError: (error) => {
          if (error instanceof ApiProblem && error.code === 'changed-meanwhile')
            setRefused({ formId: form.id, authors: findConflictAuthors(error) })
          else notify({ title: 'Failed to update form', body: errorMessage(error), intent: 'error' })
        },
      },
    )
  }
  return {
    button: <HeaderAction label={steps[status].label} icon={<CheckmarkRegular />} onClick={send} />,
    conflict,
  }
}

/** Reports that another user has changed the form, which is shown as it is now. */
function ConflictNotice({ authors, form: { status } }: { authors: string; form: Form }) {
  const { screenOnly } = useReviewStyles()
  return (
    <Notice
      className={screenOnly}
      tone="warning"
      icon={PersonEditRegular}
      title={`${authors} changed this form while you had it open`}
      role="alert"
    >
      <Text>
        {status === 'pending'
          ? 'It is shown as it is now. Check the answers, then mark it as reviewed again.'
          : `It is ${formStatusLabels[status].toLowerCase()} now. Nothing else was changed.`}
      </Text>
    </Notice>
  )
}

function Review({ form, template }: { form: Form; template: FormTemplate | null }) {
  const styles = useStyles()
  const [lit, setLit] = useState<number | null>(null)
  const formatInstant = useFormatInstant()
  const { formData, aiAnalysis } = form
  if (formData === undefined)
    return (
      <NotAllowed
        title="Answers are shown to clinical staff"
        hint="Your role does not include the health data of patients."
      />
    )
  const groups = groupAnswers(template, formData)
  const quotes = groupQuotes(aiAnalysis ?? { findings: [] })
  const stale = aiAnalysis ? findStaleFindings(aiAnalysis, listAnswerTexts(groups)) : new Set<number>()
  return (
    <>
      <div className={styles.printed}>
        <p className={styles.printedTitle}>{form.title}</p>
        <p className={styles.printedNote}>
          {[form.patientName, formTypeLabels[form.formType], formStatusLabels[form.status]].join(', ')}
          {form.submittedAt !== null && `, sent ${formatInstant(form.submittedAt)}`}
        </p>
      </div>
      <ChartPanel form={form} />
      <div className={styles.halves}>
        <AnswersPanel groups={groups} quotes={quotes} lit={lit} onLight={setLit} />
        <AnalysisPanel form={form} stale={stale} lit={lit} onLight={setLit} />
      </div>
    </>
  )
}
