import { DocumentAddRegular } from '@fluentui/react-icons/svg/document-add'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Form } from '#contracts/forms.ts'
import type { Patient } from '#contracts/patients.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { formTypeLabels } from '#web/entities/forms/form-labels.ts'
import { useFormatDay } from '#web/entities/practices/practice-time.ts'
import { LinkButton } from '#web/ui/link-button.tsx'
import { RowLink } from '#web/ui/row-link.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { SummaryList, SummaryRow } from '#web/entities/patients/summary-list.tsx'
import { patientFormsQuery } from '../api.ts'
import { formatFindingCount, isDraft } from '../labels.ts'

/** The forms of a patient, newest first, with a button that creates one. */
export function PatientForms({ patient: { id: patientId, deceasedOn } }: { patient: Patient }) {
  const [isAll, setAll] = useState(false)
  const mayCreate = useHasPermission('patients:write')
  const forms = useQuery(patientFormsQuery(patientId, isAll))
  return (
    <SummaryList
      source={forms}
      loadingLabel="Loading the forms"
      errorTitle="Failed to fetch the forms"
      emptyText="No forms yet"
      renderItem={(form) => <FormRow key={form.id} form={form} />}
      onAll={isAll ? null : () => setAll(true)}
      actions={
        mayCreate &&
        deceasedOn === null && (
          <LinkButton to="/forms" search={{ new: true, patient: patientId }} icon={<DocumentAddRegular />}>
            Create form
          </LinkButton>
        )
      }
    />
  )
}

function FormRow({ form }: { form: Form }) {
  const formatDay = useFormatDay()
  const { submittedAt, createdAt } = form
  const day = isDraft(form) ? `not handed in, from ${formatDay(createdAt)}` : formatDay(submittedAt ?? createdAt)
  const findings = form.findingCount > 0 ? formatFindingCount(form.findingCount) : null
  return (
    <SummaryRow
      link={
        <RowLink to="/forms/$formId" params={{ formId: form.id }}>
          <span dir="auto">{form.title}</span>
        </RowLink>
      }
      detail={[formTypeLabels[form.formType], day, findings].filter(Boolean).join(', ')}
      end={<StatusBadge status={form.hasUrgentFinding && form.status === 'pending' ? 'urgent' : form.status} plain />}
    />
  )
}
