import { WaitlistEntry } from '#contracts/waitlist.ts'
import { uuid } from '#tests/modules/appointments/fixtures.ts'

/** Returns an entry for a check-up on any day with any provider, with some fields replaced. */
export const createEntry = (number: number, over: Partial<Record<keyof WaitlistEntry, unknown>> = {}): WaitlistEntry =>
  WaitlistEntry.parse({
    id: uuid(7, number),
    patientId: uuid(3, number),
    patient: { firstName: 'Ada', lastName: 'Lovelace' },
    patientDeceased: false,
    providerId: null,
    type: 'check-up',
    duration: 30,
    earliest: null,
    latest: null,
    appointmentId: null,
    appointmentDate: null,
    notes: null,
    waitingSince: '2026-11-01T10:00:00.000Z',
    isOver: false,
    ...over,
  })
