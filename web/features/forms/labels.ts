import { z } from 'zod'
import type { Form, FormAnalysis } from '#contracts/forms.ts'
import type { FindingSeverity } from '#contracts/values/forms.ts'
import { ApiProblem } from '#web/api/call.ts'
import { formatCount } from '#web/ui/format.ts'

/** Display names of the weights of findings. */
export const severityLabels: Record<FindingSeverity, string> = {
  urgent: 'Urgent',
  attention: 'Needs attention',
  info: 'For information',
}

/** Formats the number of findings. */
export const formatFindingCount = (count: number): string =>
  count === 0 ? 'no findings' : formatCount(count, 'finding')

/** Formats a form with its patient, which distinguishes forms of the same title. */
export const formatFormName = ({ title, patientName }: Pick<Form, 'title' | 'patientName'>): string =>
  `${title} of ${patientName}`

/** Returns whether a form is a draft: its answers have not been handed in. */
export const isDraft = ({ status, submittedAt }: Pick<Form, 'status' | 'submittedAt'>): boolean =>
  status === 'pending' && submittedAt === null

/** Returns the note at everything an analyst wrote. */
export function describeAnalyst({ analyst, model }: Pick<FormAnalysis, 'analyst' | 'model'>): string {
  if (analyst === 'model') return 'Suggested by AI, check before use'
  return model === null ? 'Rules, no AI model connected' : 'Rules, the AI model did not reply'
}

const NamedChanges = z.array(z.object({ by: z.string().nullable() }))

/** Returns the names of the users whose changes a conflict reports; "Another user" where the server does not name them. */
export function findConflictAuthors(error: ApiProblem): string {
  const changes = NamedChanges.safeParse(error.problem['changes']).data ?? []
  return [...new Set(changes.flatMap(({ by }) => by ?? []))].join(', ') || 'Another user'
}
