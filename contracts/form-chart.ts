import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { QuestionId } from './values/forms.ts'
import { FormId } from './values/ids.ts'

/** The fields of a chart that a form may correct. */
export const ChartField = z.enum(['phone', 'address', 'allergies', 'medications'])
export type ChartField = z.infer<typeof ChartField>

/**
 * A line of a form that differs from the patient's chart. `value` is as the patient wrote it, and identifies the line together with
 * `field`; `current` is what the chart has in its place, null for nothing. A list is added to, never shortened.
 */
export const ChartLine = z.object({
  field: ChartField,
  value: z.string(),
  questionId: QuestionId,
  /** The line as it is shown: a phone number in its national format, "No known allergies". */
  proposed: z.string(),
  current: z.string().nullable(),
})
export type ChartLine = z.infer<typeof ChartLine>

const params = z.object({ formId: FormId })

/**
 * Lists the lines of a submitted intake or medical history that differ from the chart, in the order of the form. Empty for other
 * forms, for drafts and for completed ones. 404 for a form of another practice.
 */
export const listChartLines = endpoint({
  method: 'GET',
  path: '/api/forms/:formId/chart',
  access: { permission: 'clinical:read' },
  params,
  reply: z.array(ChartLine),
})

/**
 * Takes one line over into the chart: an ordinary change of the patient, whose cause is the form. Replies with the lines that are
 * left. A line that the chart has already is no error. 409 `line-changed` when the form does not have it any more, 409
 * `changed-meanwhile` when the chart was changed at the same moment, 422 for a phone number that does not exist.
 */
export const acceptChartLine = endpoint({
  method: 'POST',
  path: '/api/forms/:formId/chart',
  access: { permission: 'clinical:write' },
  params,
  body: z.strictObject({ field: ChartField, value: z.string().max(4_000) }),
  reply: z.array(ChartLine),
})
