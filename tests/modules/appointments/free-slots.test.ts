import { expect, it } from 'vitest'
import { ProviderId } from '#contracts/values/ids.ts'
import { computeFreeSlots } from '#modules/appointments/free-slots.ts'

const providerId = ProviderId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0001')

it('offers no slots on days on which the practice is closed, not even today', () => {
  const sunday = '2026-11-22T08:00:00.000Z'
  const slots = computeFreeSlots({ providerId, zone: 'UTC', duration: 30, from: sunday, days: 8, busy: [] })
  expect([...new Set(slots.map(({ localDate }) => localDate))]).toEqual(
    ['23', '24', '25', '26', '27'].map((day) => `2026-11-${day}`),
  )
})
