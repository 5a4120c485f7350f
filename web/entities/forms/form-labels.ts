import type { FormStatus, FormType } from '#contracts/values/forms.ts'

/** Display names of the types of forms, in the order of the filter. */
export const formTypeLabels: Record<FormType, string> = {
  intake: 'Intake',
  'medical-history': 'Medical history',
  consent: 'Consent',
  insurance: 'Insurance',
  assessment: 'Assessment',
}

/** Display names of the states of a form. */
export const formStatusLabels: Record<FormStatus, string> = {
  pending: 'Pending',
  reviewed: 'Reviewed',
  completed: 'Completed',
}
