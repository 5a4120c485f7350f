import { describe, expect, it } from 'vitest'
import type { NotMoved } from '#contracts/appointment-series.ts'
import { describeNotMoved } from '#web/features/appointments/series/series-conflicts.tsx'

describe('the report of an appointment that was not changed', () => {
  it('states the reason', () => {
    const notMoved = { appointmentId: 'x', start: '2027-03-09T14:30:00.000Z' } as unknown as NotMoved
    const conflict = { providerName: 'Dr. Chen', patientName: 'Alan Turing', until: '2027-03-09T15:00:00.000Z' }
    const taken = { ...notMoved, reason: 'taken', conflict } as unknown as NotMoved
    expect(describeNotMoved(taken, 'America/New_York')).toBe(
      'Tue, Mar 9, 2027, 9:30 AM: Dr. Chen sees Alan Turing until 10:00 AM',
    )
    const unknown = {
      ...taken,
      conflict: { ...conflict, providerName: null, patientName: null },
    } as unknown as NotMoved
    expect(describeNotMoved(unknown, 'America/New_York')).toContain('another patient is booked until 10:00 AM')
    expect(describeNotMoved({ ...notMoved, reason: 'failed', conflict: null }, 'UTC')).toContain('could not be saved')
  })
})
