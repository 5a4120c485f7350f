import type { Form } from '#contracts/forms.ts'
import { isClinicalForm } from '#contracts/values/forms.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'

/** Returns the function that says whether the current user may change a form: its answers and its status. */
export function useCanFill(): (form: Pick<Form, 'formType'>) => boolean {
  const canWrite = useHasPermission('patients:write')
  const canReadClinical = useHasPermission('clinical:read')
  const canWriteClinical = useHasPermission('clinical:write')
  return ({ formType }) => canWrite && (!isClinicalForm(formType) || (canReadClinical && canWriteClinical))
}
