import type { CommonQueryMethods } from 'slonik'
import type { Appointment } from '#contracts/appointments.ts'
import { type AiInsight, listInsights } from '#contracts/insights.ts'
import { hasPermission } from '#contracts/values/roles.ts'
import { type AccessStatus, checkFeatureAccess } from '#contracts/values/tiers.ts'
import type { Member } from '#http/session.ts'
import type { Services } from '#modules/module.ts'
import { recordScope, type RecordScope } from '#modules/samples/public.ts'
import * as coverage from './coverage.ts'
import * as derivation from './derive-insights.ts'
import * as queries from './queries.ts'
import { deriveAppointmentInsights } from './rules/appointment-insights.ts'

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

type InsightGround = Pick<Appointment, 'status' | 'appointmentDate' | 'patientId'>

/** Adds insights to upcoming appointments, for callers who may read insights. */
export const addInsights = async (
  services: Pick<Services, 'db' | 'clock'>,
  caller: Member,
  appointments: readonly Appointment[],
): Promise<Appointment[]> => appointments.map(await loadInsights(services, caller, appointments))

/**
 * Loads what insights about some appointments are derived from, and returns a function that adds them to those appointments; to
 * upcoming ones, for callers who may read insights.
 */
export async function loadInsights(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  caller: Member,
  appointments: readonly InsightGround[],
): Promise<(appointment: Appointment) => Appointment> {
  const now = clock()
  const nowText = now.toISOString()
  const isUnconfirmed = ({ status, appointmentDate }: InsightGround) =>
    status === 'scheduled' && appointmentDate > nowText
  const patientIds = [...new Set(appointments.filter(isUnconfirmed).map(({ patientId }) => patientId))]
  if (!mayReadInsights(caller) || patientIds.length === 0) return (appointment) => appointment
  const missed = await queries.countMissedAppointments(db, { scope: recordScope(caller), patientIds, now })
  return (appointment) =>
    isUnconfirmed(appointment)
      ? { ...appointment, aiInsights: deriveAppointmentInsights(missed.get(appointment.patientId) ?? 0) }
      : appointment
}

/** Adds insights to one appointment. */
export const addInsight = async (
  services: Pick<Services, 'db' | 'clock'>,
  caller: Member,
  appointment: Appointment,
): Promise<Appointment> => (await addInsights(services, caller, [appointment]))[0] ?? appointment
