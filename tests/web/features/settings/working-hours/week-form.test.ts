import { expect, it } from 'vitest'
import { findHoursErrors } from '#contracts/values/working-hours.ts'
import { suggestBreak } from '#web/features/settings/working-hours/week-form.ts'

it.each([
  ['08:00', '17:30', [], { from: '12:00', until: '13:00' }],
  ['08:00', '12:00', [], { from: '10:00', until: '11:00' }],
  ['13:00', '18:00', [], { from: '14:00', until: '15:00' }],
  ['18:00', '00:00', [], { from: '19:00', until: '20:00' }],
  ['08:00', '17:30', [{ from: '12:00', until: '13:00' }], { from: '14:00', until: '15:00' }],
])('suggests a break that the hours from %s to %s allow', (opens, closes, breaks, suggested) => {
  expect(suggestBreak({ isOpen: true, opens, closes, breaks })).toEqual(suggested)
  const hours = { opens, closes: closes === '00:00' ? '24:00' : closes, breaks: [...breaks, suggested] }
  expect(findHoursErrors(hours)).toEqual([])
})
