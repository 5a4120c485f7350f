import { Text } from '@fluentui/react-components'
import { ArrowCircleUpRegular } from '@fluentui/react-icons/svg/arrow-circle-up'
import { PlanId } from '#contracts/values/plans.ts'
import { ApiProblem } from '#web/api/call.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** What a call was refused for that another plan would allow, in plain words, and which plan that is where it is known. */
export type PlanRefusal = { title: string; text: string; action: string; plan: PlanId | null }

const refusalLabels: Readonly<Record<string, readonly [title: string, action: string]>> = {
  'plan-limit': ['Your plan is full', 'Upgrade'],
  'upgrade-required': ['Your plan does not include this', 'Upgrade'],
  'subscription-required': ['Subscription Required', 'Activate Subscription'],
}

/** Reads a refusal that has to do with the plan; null where it has not. */
export function parsePlanRefusal(error: unknown): PlanRefusal | null {
  if (!(error instanceof ApiProblem)) return null
  const words = refusalLabels[error.code]
  if (!words) return null
  const [title, action] = words
  return { title, text: error.detail, action, plan: PlanId.safeParse(error.problem['tier']).data ?? null }
}

/** Says beside the work that the plan is too small for it, and leads whoever may change that to the plans. */
export function PlanNotice({ refusal, className }: { refusal: PlanRefusal; className?: string }) {
  const may = useHasPermission('settings')
  const { title, text, action, plan } = refusal
  return (
    <Notice
      tone="waiting"
      icon={ArrowCircleUpRegular}
      title={title}
      role="alert"
      {...(className ? { className } : {})}
      actions={
        may && (
          <LinkButton to="/subscription" search={plan ? { plan } : {}}>
            {action}
          </LinkButton>
        )
      }
    >
      <Text>{text}</Text>
      {!may && <Text>Ask the owner or an administrator of your practice.</Text>}
    </Notice>
  )
}
