import { InsightType } from '#contracts/values/insights.ts'

/** Search parameters of the screen. Without a type it lists all insights. */
export type InsightsSearch = { type?: InsightType }

/** Parses search parameters and drops invalid ones. */
export function parseInsightsSearch(raw: Record<string, unknown>): InsightsSearch {
  const type = InsightType.safeParse(raw['type'])
  return type.success ? { type: type.data } : {}
}
