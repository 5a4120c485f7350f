import { PlanId } from '#contracts/values/plans.ts'

type AuthSearch = { redirect: string; tab?: 'register' }

/**
 * Returns the search of the sign-in screen for a visitor who wanted to open a page. A visitor who chooses a plan is usually new,
 * and continues with its payment.
 */
export function toAuthSearch({
  pathname,
  href,
  search,
}: {
  pathname: string
  href: string
  search: object
}): AuthSearch {
  if (pathname !== '/subscription') return { redirect: href }
  const plan = 'plan' in search ? PlanId.safeParse(search.plan).data : undefined
  return { redirect: plan ? `/subscription?plan=${plan}&step=payment` : href, tab: 'register' }
}
