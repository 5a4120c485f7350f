import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { InsightId } from './values/ids.ts'
import { InsightPriority, InsightType, maxBasedOn, maxSnoozeDays } from './values/insights.ts'

/** A suggestion about one appointment, for a person to decide. It contains counts and no names. */
export const AppointmentInsight = z.object({
  type: InsightType,
  priority: InsightPriority,
  title: z.string(),
  message: z.string(),
  actionItems: z.array(z.string()),
})
export type AppointmentInsight = z.infer<typeof AppointmentInsight>

/**
 * A record or a day that an insight is based on. `href` is the path of its screen. The `id` of a `schedule` is a date of the practice
 * (YYYY-MM-DD).
 */
export const InsightBasis = z.object({
  kind: z.enum(['appointment', 'patient', 'form', 'provider', 'schedule']),
  id: z.string(),
  label: z.string(),
  href: z.string(),
})
export type InsightBasis = z.infer<typeof InsightBasis>

/**
 * A suggestion derived from the practice's own data, for a person to decide. Names are only in the labels of what it is based
 * on. `origin` is `model` when a language model took part, otherwise `rules`.
 */
export const AiInsight = AppointmentInsight.extend({
  id: InsightId,
  origin: z.enum(['rules', 'model']),
  /** The first records it is based on; `basedOnTotal` counts all of them. */
  basedOn: z.array(InsightBasis).max(maxBasedOn),
  basedOnTotal: z.number().int(),
})
export type AiInsight = z.infer<typeof AiInsight>

const access = { permission: 'ai', feature: 'ai-insights' } as const

/** Lists the open insights, the most urgent first. */
export const listInsights = endpoint({ method: 'GET', path: '/api/ai/insights', access, reply: z.array(AiInsight) })

/**
 * The use of insights since the first of the month, in the practice's time zone. `insightsGenerated` are those that are open, or
 * were decided this month. `accuracy` is the share of those done among those done or dismissed, in percent; null while there
 * are too few of them. `model`: the questions to the AI model that is connected, and their cost in dollars with four decimals;
 * null without one.
 */
export const InsightUsage = z.object({
  insightsGenerated: z.number().int(),
  formsAnalyzed: z.number().int(),
  accuracy: z.number().int().nullable(),
  model: z.object({ name: z.string(), calls: z.number().int(), tokens: z.number().int(), cost: z.string() }).nullable(),
})
export type InsightUsage = z.infer<typeof InsightUsage>

/** Counts insights, and the share of them that was right. */
export const getInsightUsage = endpoint({ method: 'GET', path: '/api/ai/insights/usage', access, reply: InsightUsage })

const params = z.object({ insightId: InsightId })

/** Dismisses an insight as not useful. It comes back when it is based on something new. 404 when there is none. */
export const dismissInsight = endpoint({
  method: 'POST',
  path: '/api/ai/insights/:insightId/dismiss',
  access,
  params,
  reply: z.null(),
})

/**
 * Hides an insight until an instant, or until the start of the day that is `days` after today in the practice's time zone. It
 * comes back sooner when it is based on something new. 404 when there is none, 409 `time-over` for a time that is over.
 */
export const snoozeInsight = endpoint({
  method: 'POST',
  path: '/api/ai/insights/:insightId/snooze',
  access,
  params,
  body: z
    .strictObject({
      days: z.number().int().min(1).max(maxSnoozeDays).optional(),
      until: z.iso.datetime({ offset: true }).optional(),
    })
    .refine(({ days, until }) => (days === undefined) !== (until === undefined), {
      path: ['days'],
      error: 'Please give either a number of days or a time',
    }),
  reply: z.null(),
})

/** Marks an insight as done. It comes back when it is based on something new. 404 when there is none. */
export const markInsightDone = endpoint({
  method: 'POST',
  path: '/api/ai/insights/:insightId/done',
  access,
  params,
  reply: z.null(),
})

/** Takes back what was decided about an insight, so that it is listed again. 404 when there is none. */
export const reopenInsight = endpoint({
  method: 'POST',
  path: '/api/ai/insights/:insightId/reopen',
  access,
  params,
  reply: z.null(),
})
