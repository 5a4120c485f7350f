import type { AiInsight } from '#contracts/insights.ts'

export const priorityLabels: Record<AiInsight['priority'], string> = {
  high: 'High priority',
  medium: 'Medium priority',
  low: 'Low priority',
}
