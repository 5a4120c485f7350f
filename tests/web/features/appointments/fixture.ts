import type { Appointment } from '#contracts/appointments.ts'

/** Returns the n-th id. */
export const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
export const chenId = id(1)
export const parkId = id(2)

/** Returns an appointment of Grace Liu at 4:00 PM, with some fields replaced. */
export const createAppointment = (overrides: Partial<Record<keyof Appointment, unknown>> = {}): Appointment =>
  ({
    id: id(10),
    providerId: chenId,
    patientId: id(20),
    patient: { firstName: 'Grace', lastName: 'Liu' },
    localDate: '2026-11-20',
    localTime: '16:00',
    duration: 30,
    type: 'consultation',
    status: 'scheduled',
    statusSince: '2026-11-20T15:00:00.000Z',
    reason: null,
    notes: null,
    revision: 1,
    ...overrides,
  }) as unknown as Appointment
