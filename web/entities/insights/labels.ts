import type { FluentIcon } from '@fluentui/react-icons'
import { AlertUrgent20Regular } from '@fluentui/react-icons/svg/alert-urgent'
import { ArrowTrendingLines20Regular } from '@fluentui/react-icons/svg/arrow-trending-lines'
import { Lightbulb20Regular } from '@fluentui/react-icons/svg/lightbulb'
import type { AiInsight } from '#contracts/insights.ts'

export const priorityLabels: Record<AiInsight['priority'], string> = {
  high: 'High priority',
  medium: 'Medium priority',
  low: 'Low priority',
}

export const insightIcons: Record<AiInsight['type'], FluentIcon> = {
  alert: AlertUrgent20Regular,
  optimization: ArrowTrendingLines20Regular,
  recommendation: Lightbulb20Regular,
}

/** Texts of the spec (page 1, section 8) for AI insights that could not be loaded. */
export const insightsUnavailable = {
  title: 'AI insights temporarily unavailable',
  hint: 'Service is currently experiencing high demand. Please try again later.',
}
