import { Text } from '@fluentui/react-components'
import { ArrowCircleUpRegular } from '@fluentui/react-icons/svg/arrow-circle-up'
import { PlanId } from '#contracts/values/plans.ts'
import { ApiProblem } from '#web/api/call.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { Notice } from '#web/ui/notice.tsx'
import { UpgradeButton } from './upgrade-button.tsx'

/** Rejection of a call that a larger plan would allow; `plan` is that plan where the server names it. */
export type PlanRefusal = { title: string; text: string; action: string; plan: PlanId | null }

const refusalLabels: Readonly<Record<string, readonly [title: string, action: string]>> = {
  'plan-limit': ['Your plan is full', 'Upgrade'],
  'upgrade-required': ['Your plan does not include this', 'Upgrade'],
  'subscription-required': ['Subscription Required', 'Activate Subscription'],
}

/** Returns the plan refusal in an error; null for any other error. */
export function parsePlanRefusal(error: unknown): PlanRefusal | null {
  if (!(error instanceof ApiProblem)) return null
  const labels = refusalLabels[error.code]
  if (!labels) return null
  const [title, action] = labels
  return { title, text: error.detail, action, plan: PlanId.safeParse(error.problem['tier']).data ?? null }
}

/** Notice that the plan does not allow an action, with a link to the plans for users who can change it. */
export function PlanNotice({ refusal, className }: { refusal: PlanRefusal; className?: string }) {
  const canUpgrade = useHasPermission('settings')
  const { title, text, action, plan } = refusal
  return (
    <Notice
      tone="warning"
      icon={ArrowCircleUpRegular}
      title={title}
      role="alert"
      {...(className ? { className } : {})}
      actions={canUpgrade && <UpgradeButton plan={plan}>{action}</UpgradeButton>}
    >
      <Text>{text}</Text>
      {!canUpgrade && <Text>Ask the owner or an administrator of your practice.</Text>}
    </Notice>
  )
}
