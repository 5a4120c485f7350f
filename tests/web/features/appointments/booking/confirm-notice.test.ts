import { expect, it } from 'vitest'
import { describeConcern } from '#web/features/appointments/booking/confirm-notice.tsx'

const about = { patientName: 'Grace Liu', zone: 'America/New_York' }
const [thursday, friday] = ['2026-11-26T15:00:00.000Z', '2026-11-27T15:00:00.000Z']

it.each([
  [{ concern: 'patient-deceased', starts: [thursday] }, 'Grace Liu is recorded as deceased.'],
  [{ concern: 'in-the-past', starts: [thursday] }, 'Thu, Nov 26, 2026, 10:00 AM is in the past.'],
  [{ concern: 'not-a-working-day', starts: [thursday] }, 'Thu, Nov 26, 2026 is not a working day.'],
  [
    { concern: 'holiday', starts: [thursday], reasons: ['Thanksgiving'] },
    'Thu, Nov 26, 2026 is a holiday (Thanksgiving).',
  ],
  [{ concern: 'provider-day-off', starts: [thursday] }, 'Thu, Nov 26, 2026 is a day off of the provider.'],
  [
    { concern: 'outside-working-hours', starts: [thursday], reasons: ['16:00-24:00'] },
    'Thu, Nov 26, 2026, 10:00 AM is outside the working hours (4:00 PM to 12:00 AM).',
  ],
  [
    { concern: 'in-a-break', starts: [thursday, friday], reasons: ['09:45-10:15', null] },
    '2 dates are in a break: Thu, Nov 26, 2026, 10:00 AM (9:45 AM to 10:15 AM); Fri, Nov 27, 2026, 10:00 AM.',
  ],
  [
    {
      concern: 'holiday',
      starts: Array.from({ length: 6 }, () => thursday),
      reasons: Array.from({ length: 6 }, () => 'Day'),
    },
    `6 dates are holidays: ${Array.from({ length: 4 }, () => 'Thu, Nov 26, 2026 (Day)').join('; ')}; and 2 more.`,
  ],
] as const)('describes %o', ({ concern, starts, ...reasons }, text) => {
  expect(describeConcern({ concern, starts: [...starts], ...(reasons as { reasons?: string[] }) }, about)).toBe(text)
})
