import { expect, it } from 'vitest'
import { readAppointmentSearch } from '#modules/appointments/search-terms.ts'

const nothing = { ids: null, dates: [], types: [], patient: '' }

it.each([
  ['', {}],
  ['grace  hopper', { patient: 'grace hopper' }],
  ['Hopper follow-up', { patient: 'Hopper', types: ['follow-up'] }],
  ['followup', { types: ['follow-up'] }],
  ['cons', { types: ['consultation'] }],
  ['con', { patient: 'con' }],
  ['proctor', { patient: 'proctor' }],
  ['Feb 3, 2027', { dates: ['2027-02-03'] }],
  ['2/3/2027 hopper', { dates: ['2027-02-03'], patient: 'hopper' }],
  ['2/3', { dates: ['2025-02-03', '2026-02-03', '2027-02-03'] }],
  ['Feb 3, 2027 June', { dates: ['2027-02-03'], patient: 'June' }],
  ['2027-02-03 April', { dates: ['2027-02-03'], patient: 'April' }],
  ['feb 29', { dates: ['2024-02-29', '2028-02-29'] }],
  ['2/31', { patient: '2/31' }],
  ['today', { dates: ['2026-11-22'] }],
  ['tomorrow, emergency', { dates: ['2026-11-23'], types: ['emergency'] }],
  // Names that every object has.
  ['__proto__', { patient: '__proto__' }],
  ['constructor', { patient: 'constructor' }],
  ['(617) 555-0123', { patient: '(617) 555-0123' }],
  [
    '12345678',
    { ids: { first: '12345678-0000-0000-0000-000000000000', last: '12345678-ffff-ffff-ffff-ffffffffffff' } },
  ],
])('a search for appointments: %s', (typed, found) => {
  expect(readAppointmentSearch(typed, '2026-11-22')).toEqual({ ...nothing, ...found })
})
