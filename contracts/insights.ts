import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Something worth doing that follows from the practice's own record; a person decides. It counts, and names nobody. */
export const AiInsight = z.object({
  type: z.enum(['alert', 'optimization', 'recommendation']),
  priority: z.enum(['high', 'medium', 'low']),
  title: z.string(),
  message: z.string(),
  actionItems: z.array(z.string()),
})
export type AiInsight = z.infer<typeof AiInsight>

/** The most urgent first; none where there is nothing to say. */
export const listInsights = endpoint({
  method: 'GET',
  path: '/api/ai/insights',
  access: { permission: 'ai', feature: 'ai-insights' },
  reply: z.array(AiInsight),
})
