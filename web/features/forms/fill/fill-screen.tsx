import { Skeleton, SkeletonItem } from '@fluentui/react-components'
import { EyeRegular } from '@fluentui/react-icons/svg/eye'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { changeForm, type Form, type FormTemplate } from '#contracts/forms.ts'
import { call } from '#web/api/call.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { NotAllowed } from '#web/ui/not-allowed.tsx'
import { Page } from '#web/ui/page.tsx'
import { useTableStyles } from '#web/ui/table-styles.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { formQuery, showSavedForm, templateQuery } from '../api.ts'
import { FormLinkButton } from '../link/link-button.tsx'
import { FormError } from '../form-error.tsx'
import { formStatusLabels, formTypeLabels } from '#web/entities/forms/form-labels.ts'
import { useCanFill } from '../use-can-fill.ts'
import { formatFormName } from '../labels.ts'
import { DraftNotice } from './draft-notice.tsx'
import { FillForm } from './fill-form.tsx'

/** Screen that fills in a form, one group of questions a step. */
export function FillScreen() {
  const { formId } = useParams({ from: '/shell/forms/$formId/fill' })
  return <FillLoader key={formId} formId={formId} />
}

type Start = { form: Form; template: FormTemplate }

/** Loads a form and its template. Filling in starts from the current answers; a background refresh does not change them. */
function FillLoader({ formId }: { formId: string }) {
  const canFill = useCanFill()
  const [start, setStart] = useState<Start | null>(null)
  const form = useQuery({ ...formQuery(formId), enabled: start === null, refetchOnMount: 'always' })
  const { formType = 'intake', templateVersion = 1 } = form.data ?? {}
  const template = useQuery({ ...templateQuery({ formType, templateVersion }), enabled: form.data !== undefined })
  if (start === null && form.data && template.data && !form.isFetching && !form.error)
    setStart({ form: form.data, template: template.data })

  if (!start) {
    const failed = form.error ? form : template
    return (
      <FillFrame form={form.data}>
        {failed.error || template.data === null ? (
          <FormError error={failed.error} onRetry={() => void failed.refetch()} />
        ) : (
          <Skeleton aria-label="Loading the form">
            <SkeletonItem size={128} />
          </Skeleton>
        )}
      </FillFrame>
    )
  }
  if (!canFill(start.form))
    return (
      <FillFrame form={start.form}>
        <NotAllowed title="Your role does not include these answers" hint="They are filled in by clinical staff." />
      </FillFrame>
    )
  if (start.form.status !== 'pending')
    return (
      <FillFrame form={start.form}>
        <ClosedForm form={start.form} />
      </FillFrame>
    )
  return (
    <FillFrame form={start.form}>
      <FillDraft form={start.form} template={start.template} />
    </FillFrame>
  )
}

/** Fills in a form as staff: it goes on to its review. */
function FillDraft({ form, template }: Start) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const notify = useNotify()
  return (
    <FillForm
      title={form.title}
      answers={form.formData ?? {}}
      template={template}
      save={async (formData, isSubmit) => {
        const body = { formData, ...(isSubmit ? { submit: true } : {}) }
        void showSavedForm(queries, await call(changeForm, { params: { formId: form.id }, body }))
      }}
      renderNotice={(state, failure) => <DraftNotice form={form} state={state} failure={failure} />}
      onSubmitted={() => {
        notify({ title: 'Form submitted', body: formatFormName(form) })
        return navigate({ to: '/forms/$formId', params: { formId: form.id } })
      }}
    />
  )
}

function FillFrame({ form, children }: { form: Form | undefined; children: ReactNode }) {
  return (
    <Page
      title={form?.title ?? 'Form'}
      action={form && <FormLinkButton form={form} />}
      subtitle={form ? `${form.patientName}, ${formTypeLabels[form.formType]}` : undefined}
    >
      {children}
    </Page>
  )
}

/** Explains that the answers of a form cannot be changed any more. */
function ClosedForm({ form: { id, status } }: { form: Form }) {
  const navigate = useNavigate()
  return (
    <div className={useTableStyles().surface}>
      <EmptyState
        icon={EyeRegular}
        title={`This form is ${formStatusLabels[status].toLowerCase()}`}
        hint="Its answers cannot be changed any more."
        action="Open the form"
        onAction={() => void navigate({ to: '/forms/$formId', params: { formId: id } })}
      />
    </div>
  )
}
