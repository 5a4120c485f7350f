import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type AiInsight,
  dismissInsight,
  getInsightUsage,
  markInsightDone,
  reopenInsight,
  snoozeInsight,
} from '#contracts/insights.ts'
import { ApiProblem, call, errorMessage } from '#web/api/call.ts'
import { dashboardKeys } from '#web/entities/dashboard/dashboard-keys.ts'
import { insightKeys } from '#web/entities/insights/insight-keys.ts'
import { useNotify } from '#web/ui/toasts.tsx'

/** Query for the use of insights in this month. */
export const insightUsageQuery = queryOptions({
  queryKey: insightKeys.usage,
  queryFn: ({ signal }) => call(getInsightUsage, {}, signal),
  staleTime: 0,
})

/** A user's decision about an insight. */
export type Decision = { kind: 'dismiss' | 'done' | 'reopen' } | { kind: 'snooze'; days: number }

type DecisionRequest = { insight: Pick<AiInsight, 'id' | 'title'>; decision: Decision }

function sendDecision({ insight, decision }: DecisionRequest): Promise<null> {
  const params = { insightId: insight.id }
  switch (decision.kind) {
    case 'dismiss':
      return call(dismissInsight, { params })
    case 'done':
      return call(markInsightDone, { params })
    case 'reopen':
      return call(reopenInsight, { params })
    case 'snooze':
      return call(snoozeInsight, { params, body: { days: decision.days } })
  }
}

/** Sends a decision about an insight, and refreshes the list and the figures that count it. */
export function useDecideInsight() {
  const queries = useQueryClient()
  const notify = useNotify()
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: insightKeys.all }),
      queries.invalidateQueries({ queryKey: dashboardKeys.stats }),
    ])
  return useMutation({
    mutationFn: sendDecision,
    onSuccess: refresh,
    onError: (error) => {
      const isGone = error instanceof ApiProblem && error.status === 404
      notify({
        title: 'Failed to update the insight',
        body: isGone ? 'It no longer applies.' : errorMessage(error),
        intent: 'error',
      })
      if (isGone) void refresh()
    },
  })
}
