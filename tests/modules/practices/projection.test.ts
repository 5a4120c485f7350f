import { expect, it } from 'vitest'
import { defaultAppointmentTypes } from '#contracts/values/appointment-types.ts'
import { PracticeId, UserId } from '#contracts/values/ids.ts'
import type { AppointmentTypeEvent } from '#modules/appointment-types/events.ts'
import type { PracticeEvent } from '#modules/practices/events.ts'
import { practices } from '#modules/practices/projection.ts'
import { applyEvent, type Rows } from '#projections/projection.ts'
import { recordedEvent } from '#tests/support/events.ts'

const practiceId = PracticeId.parse('0f6f7a52-1b2c-5d3e-8f4a-5b6c7d8e9f00')
const ownerId = UserId.parse('3f8f1d0e-52a4-4c8b-9a57-2d1f5c0e7b11')
const details = {
  name: 'Harbor Clinic',
  address: '418 Harbor Street, Lakeside',
  phone: '(617) 555-0100',
  email: 'desk@example.test',
  website: null,
  specialties: ['Family Medicine'],
  npi: null,
  timezone: 'America/New_York',
}

const history: PracticeEvent[] = [
  { type: 'PracticeSetUp', data: { practiceId, ownerId, ...details, taxId: null } },
  {
    type: 'PracticeDetailsChanged',
    data: { practiceId, from: { phone: details.phone, taxId: null }, to: { phone: '617 555 0199', taxId: '12-345' } },
  },
  { type: 'PracticeDetailsChanged', data: { practiceId, from: { name: 'Harbor Clinic' }, to: { name: 'Harbour' } } },
  {
    type: 'PracticeSetupCompleted',
    data: { practiceId, ownerId, newsletterOptIn: true, selectedPlan: 'professional' },
  },
  {
    type: 'PracticeDetailsChanged',
    data: { practiceId, from: { taxId: '12-345', sessionTimeout: 60 }, to: { taxId: null, sessionTimeout: 30 } },
  },
]

function rowAfter(events: readonly (PracticeEvent | AppointmentTypeEvent)[]) {
  const rows: Rows = new Map()
  events.forEach((event, revision) =>
    applyEvent(
      practices,
      rows,
      recordedEvent(event, { revision, metadata: { at: `2026-11-20T08:0${revision}:00.000Z` } }),
    ),
  )
  return rows.get(practiceId)
}

const setUp = {
  practice_id: practiceId,
  owner_id: ownerId,
  ...details,
  tax_id: null,
  session_timeout: 60,
  require_two_factor: false,
  newsletter_opt_in: false,
  selected_plan: null,
  appointment_types: defaultAppointmentTypes,
  setup_complete: false,
  revision: 0,
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
}
const reached = {
  ...setUp,
  phone: '617 555 0199',
  tax_id: '12-345',
  revision: 1,
  updated_at: '2026-11-20T08:01:00.000Z',
}
const renamed = { ...reached, name: 'Harbour', revision: 2, updated_at: '2026-11-20T08:02:00.000Z' }
const completed = {
  ...renamed,
  newsletter_opt_in: true,
  selected_plan: 'professional',
  setup_complete: true,
  revision: 3,
  updated_at: '2026-11-20T08:03:00.000Z',
}
const cleared = { ...completed, tax_id: null, session_timeout: 30, revision: 4, updated_at: '2026-11-20T08:04:00.000Z' }

it.each([
  [1, setUp],
  [2, reached],
  [3, renamed],
  [4, completed],
  [5, cleared],
])('is what its first %i events made it', (count, row) => {
  expect(rowAfter(history.slice(0, count))).toEqual(row)
})

it('has no row for a practice that was not set up', () => {
  expect(rowAfter(history.slice(1))).toBeNull()
})

it('has what the practice sets for its appointment types, and keeps its own revision and time', () => {
  const changed: AppointmentTypeEvent[] = [
    {
      type: 'AppointmentTypesChanged',
      data: { practiceId, from: { procedure: { duration: 30 } }, to: { procedure: { duration: 60 } } },
    },
    {
      type: 'AppointmentTypesChanged',
      data: { practiceId, from: { procedure: { colour: null } }, to: { procedure: { colour: 'purple' } } },
    },
  ]
  expect(rowAfter([...history, ...changed])).toEqual({
    ...cleared,
    appointment_types: {
      ...defaultAppointmentTypes,
      procedure: { ...defaultAppointmentTypes.procedure, duration: 60, colour: 'purple' },
    },
  })
  expect(rowAfter(changed)).toBeNull()
})
