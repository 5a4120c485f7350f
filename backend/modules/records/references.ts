import type { AppointmentId, PatientId, ProviderId } from '#contracts/values/ids.ts'
import { fieldError } from '#http/problems.ts'
import type { Member } from '#http/session.ts'
import { loadAppointment } from '#modules/appointments/public.ts'
import type { Services } from '#modules/module.ts'
import { findPracticeProviders } from '#modules/providers/public.ts'

/** Throws 422 at a field for a provider who is not of the caller's practice. */
export async function requireProviderIn(
  { db }: Pick<Services, 'db'>,
  { practiceId }: Member,
  providerId: ProviderId | null,
  field: string,
): Promise<void> {
  if (providerId === null) return
  const providers = await findPracticeProviders(db, practiceId)
  if (!providers.some(({ id }) => id === providerId)) throw fieldError(field, 'There is no such provider')
}

/** Throws 422 at a field for an appointment that is not one of the patient in the caller's practice. */
export async function requireAppointmentOfPatient(
  { bus }: Pick<Services, 'bus'>,
  { practiceId }: Member,
  { appointmentId, patientId }: { appointmentId: AppointmentId | null; patientId: PatientId | null },
  field: string,
): Promise<void> {
  if (appointmentId === null) return
  const appointment = await loadAppointment(bus, practiceId, appointmentId)
  if (!appointment || appointment.patientId !== patientId)
    throw fieldError(field, 'There is no such appointment of this patient')
}

/** Milliseconds by which the clock of a browser may be ahead. */
const clockToleranceMs = 5 * 60_000

/** Throws 422 at a field for an instant that is after now, both ISO. */
export function requireNotInFuture(instant: string, now: string, field: string): void {
  if (Date.parse(instant) > Date.parse(now) + clockToleranceMs) throw fieldError(field, 'Must not be in the future')
}
