import type { ProviderSeats } from '#contracts/providers.ts'
import { formatCount } from '#web/ui/format.ts'

/** Describes how many providers the plan has room for: "2 of 3 providers", "3 of 3 providers, 1 invited", "12 providers". */
export function describeSeats({ active, invited, max }: ProviderSeats): string {
  const used = active + invited
  const seats = max === null ? formatCount(used, 'provider') : `${used} of ${formatCount(max, 'provider')}`
  return invited > 0 ? `${seats}, ${invited} invited` : seats
}
