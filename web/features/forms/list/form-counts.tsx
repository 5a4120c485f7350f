import { CheckmarkCircle20Regular } from '@fluentui/react-icons/svg/checkmark-circle'
import { Clock20Regular } from '@fluentui/react-icons/svg/clock'
import { Sparkle20Regular } from '@fluentui/react-icons/svg/sparkle'
import { useQuery } from '@tanstack/react-query'
import { CountCard, CountCardRow } from '#web/ui/count-card.tsx'
import { formatNumber } from '#web/ui/format.ts'
import { formCountsQuery } from '../api.ts'

/** The three figures above the list. */
export function FormCounts() {
  const { data, isError } = useQuery(formCountsQuery)
  const failed = isError ? null : undefined
  return (
    <CountCardRow label="Figures">
      <CountCard
        label="Forms Analyzed"
        value={data?.analyzed ?? failed}
        icon={Sparkle20Regular}
        note={data && data.running > 0 ? `${formatNumber(data.running)} still running` : undefined}
      />
      <CountCard label="Pending Review" value={data?.pendingReview ?? failed} icon={Clock20Regular} tone="warning" />
      <CountCard
        label="Completed"
        value={data?.completed ?? failed}
        icon={CheckmarkCircle20Regular}
        tone="success"
        note={data && data.completedThisWeek > 0 ? `${formatNumber(data.completedThisWeek)} this week` : undefined}
      />
    </CountCardRow>
  )
}
