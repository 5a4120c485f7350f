import type { ButtonProps } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import type { PlanId } from '#contracts/values/plans.ts'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'
import { LinkButton } from '#web/ui/link-button.tsx'

type UpgradeButtonProps = Pick<ButtonProps, 'appearance' | 'size' | 'aria-label'> & {
  plan?: PlanId | null
  children: string
}

/**
 * Link to the plans, with one of them preselected. While an invoice is open no plan can be chosen, and paying it brings the
 * plan back, so the link then leads to its payment.
 */
export function UpgradeButton({ plan, ...props }: UpgradeButtonProps) {
  // Only what is known: the public demo does not call the server.
  const { data: user } = useQuery({ ...currentUserQuery, enabled: false })
  return user?.hasOpenInvoice ? (
    <LinkButton {...props} to="/manage-subscription" />
  ) : (
    <LinkButton {...props} to="/subscription" search={plan ? { plan } : {}} />
  )
}
