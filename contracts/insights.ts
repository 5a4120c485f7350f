import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** A suggestion derived from the practice's own data, for a person to decide. It contains counts and no names. */
export const AiInsight = z.object({
  type: z.enum(['alert', 'optimization', 'recommendation']),
  priority: z.enum(['high', 'medium', 'low']),
  title: z.string(),
  message: z.string(),
  actionItems: z.array(z.string()),
})
export type AiInsight = z.infer<typeof AiInsight>

/** Lists insights, the most urgent first. */
export const listInsights = endpoint({
  method: 'GET',
  path: '/api/ai/insights',
  access: { permission: 'ai', feature: 'ai-insights' },
  reply: z.array(AiInsight),
})
