import type { CommonQueryMethods } from 'slonik'
import { type AiInsight, listInsights } from '#contracts/insights.ts'
import { hasPermission } from '#contracts/values/roles.ts'
import { type AccessStatus, checkFeatureAccess } from '#contracts/values/tiers.ts'
import type { Member } from '#http/session.ts'
import type { RecordScope } from '#modules/samples/public.ts'
import * as coverage from './coverage.ts'
import * as derivation from './derive-insights.ts'
import * as queries from './queries.ts'
import * as appointmentInsights from './rules/appointment-insights.ts'

/** Returns the open insights about the records of a scope, the most urgent first. Does not check whether a caller may read them. */
export async function findPracticeInsights(
  db: CommonQueryMethods,
  scope: RecordScope,
  now: Date,
): Promise<AiInsight[]> {
  const derived = derivation.deriveInsights(scope.practiceId, await queries.findInsightGrounds(db, scope, now))
  return derived.filter(({ isOpen }) => isOpen).map(({ insight }) => insight)
}

/** Finds the coverage of a patient on a date. `unknown` without a verification. */
export const findCoverage = coverage.findCoverage

/** Counts the open insights about the records of a scope. `zone` is an IANA name, and `today` the local date. */
export const countOpenInsights = async (
  db: CommonQueryMethods,
  scope: RecordScope,
  at: { zone: string; today: string; now: Date },
): Promise<number> => derivation.countOpenInsights(await queries.findOpenInsights(db, scope, at))

const { permission, feature } = listInsights.access

/** Returns whether a caller's role and plan include insights. */
export const mayReadInsights = (caller: Pick<Member, 'role' | 'isOwner'> & AccessStatus): boolean =>
  hasPermission(caller, permission) && checkFeatureAccess(caller, feature) === 'open'

/** Derives the insights about an upcoming appointment that is not confirmed. */
export const deriveAppointmentInsights = appointmentInsights.deriveAppointmentInsights
