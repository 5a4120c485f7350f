import { CheckmarkCircle20Regular } from '@fluentui/react-icons/svg/checkmark-circle'
import { Clock20Regular } from '@fluentui/react-icons/svg/clock'
import { DismissCircle20Regular } from '@fluentui/react-icons/svg/dismiss-circle'
import { PauseCircle20Regular } from '@fluentui/react-icons/svg/pause-circle'
import { useQuery } from '@tanstack/react-query'
import { CountCard, CountCardRow } from '#web/ui/count-card.tsx'
import { verificationCountsQuery } from './api.ts'
import { statusLabels } from './labels.ts'

/** The four figures above the list. */
export function InsuranceCounts() {
  const { data, isError } = useQuery(verificationCountsQuery)
  const failed = isError ? null : undefined
  return (
    <CountCardRow label="Figures">
      <CountCard
        label={statusLabels.verified}
        value={data?.verified ?? failed}
        icon={CheckmarkCircle20Regular}
        tone="success"
      />
      <CountCard label={statusLabels.pending} value={data?.pending ?? failed} icon={Clock20Regular} tone="warning" />
      <CountCard
        label={statusLabels.denied}
        value={data?.denied ?? failed}
        icon={DismissCircle20Regular}
        tone="error"
      />
      <CountCard label={statusLabels.expired} value={data?.expired ?? failed} icon={PauseCircle20Regular} />
    </CountCardRow>
  )
}
