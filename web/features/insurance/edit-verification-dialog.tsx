import { useQueryClient } from '@tanstack/react-query'
import { type InsuranceVerification, VerificationChange } from '#contracts/insurance.ts'
import { fetchNewest } from '#web/api/fetch-newest.ts'
import { ConflictNotice } from '#web/entities/practices/conflict-notice.tsx'
import { EditDialog } from '#web/forms/edit-dialog.tsx'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { useConflictForm } from '#web/forms/use-conflict-form.ts'
import { useChangeVerification, verificationQuery } from './api.ts'
import { fieldLabels, formatVerificationName } from './labels.ts'
import { VerificationError } from './verification-error.tsx'
import { VerificationFields } from './verification-fields.tsx'
import {
  formatField,
  toVerificationChange,
  toVerificationValues,
  verificationFormFields,
} from './verification-values.ts'

type EditVerificationDialogProps = { verificationId: string; onClose: () => void }

/** Edits the policy of a verification. */
export function EditVerificationDialog({ verificationId, onClose }: EditVerificationDialogProps) {
  return (
    <EditDialog
      title="Edit Verification"
      loadingLabel="Loading the verification"
      query={verificationQuery(verificationId)}
      renderError={(error, retry) => <VerificationError error={error} onRetry={retry} />}
      onClose={onClose}
    >
      {(verification) => <EditForm start={verification} onClose={onClose} />}
    </EditDialog>
  )
}

function EditForm({ start, onClose }: { start: InsuranceVerification; onClose: () => void }) {
  const queries = useQueryClient()
  const change = useChangeVerification()
  const form = useConflictForm({
    base: start,
    fields: verificationFormFields,
    toValues: toVerificationValues,
    format: formatField,
    schema: VerificationChange,
    toChange: toVerificationChange,
    toInput: (path) => path,
    save: (body, { revision }) => change.mutateAsync({ id: start.id, body: { ...body, revision } }),
    reload: (): Promise<InsuranceVerification> => fetchNewest(queries, verificationQuery(start.id)),
    saved: 'Verification updated',
    failed: 'Failed to update verification',
  })
  return (
    <FormDialog
      title={`Edit ${formatVerificationName(start)}`}
      action="Save Changes"
      pendingAction="Saving..."
      pending={form.formState.isSubmitting}
      dirty={form.formState.isDirty}
      signedOut={form.signedOut}
      onSubmit={form.submit(onClose)}
      onClose={onClose}
    >
      {form.conflict && (
        <ConflictNotice key={form.conflict.id} {...form.conflict} labels={fieldLabels} subject="this verification" />
      )}
      <VerificationFields control={form.control} />
    </FormDialog>
  )
}
