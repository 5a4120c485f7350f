import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { UserId } from '#contracts/values/ids.ts'
import { event } from '#eventstore/event.ts'
import { createHintKinds, extractStartInstants, toChangeHints } from '#modules/changes/hints.ts'
import { recordedEvent } from '#tests/support/events.ts'

const Moved = event('Moved', { startsAt: z.string() })
const Seeded = event('Seeded', {})
const findKinds = createHintKinds([
  { liveUpdates: [{ kinds: ['appointments'], events: [Moved] }] },
  { liveUpdates: [{ kinds: ['patients', 'appointments'], events: [Seeded], includesSamples: true }] },
  {},
])
const moved = (startsAt: string, sample = false) =>
  recordedEvent({ type: 'Moved', data: { startsAt } }, { metadata: { sample } })
const seeded = recordedEvent({ type: 'Seeded', data: {} }, { metadata: { sample: true } })
const toLocalDate = (instant: string) => instant.slice(0, 10)

describe('the kinds of hint of an event', () => {
  it('are declared by its module', () => {
    expect(findKinds(moved('2026-11-20T09:00:00.000Z'))).toEqual(['appointments'])
    expect(findKinds(recordedEvent({ type: 'Unknown', data: {} }))).toEqual([])
  })

  it('are none for a sample, except for the summary of all', () => {
    expect(findKinds(moved('2026-11-20T09:00:00.000Z', true))).toEqual([])
    expect(findKinds(seeded)).toEqual(['patients', 'appointments'])
  })
})

it('are sent only to the user who caused the event when the data is personal', () => {
  const findPersonal = createHintKinds([
    { liveUpdates: [{ kinds: ['notifications'], events: [Seeded], onlyForActor: true }] },
  ])
  const userId = UserId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0003')
  const caused = recordedEvent(
    { type: 'Seeded', data: {} },
    { metadata: { actor: { kind: 'user', userId, role: 'nurse' } } },
  )
  expect(findPersonal(caused)).toEqual(['notifications'])
  expect(findPersonal(caused, userId)).toEqual(['notifications'])
  expect(findPersonal(caused, '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0004')).toEqual([])
})

describe('the hints of several events', () => {
  it('name the dates of appointments once, in order', () => {
    const events = ['2026-11-21', '2026-11-20', '2026-11-21'].map((date) => moved(`${date}T09:00:00.000Z`))
    expect(toChangeHints(events, findKinds, toLocalDate)).toEqual([
      { kind: 'appointments', dates: ['2026-11-20', '2026-11-21'] },
    ])
  })

  it('name no dates when an event does not say which', () => {
    expect(toChangeHints([moved('2026-11-21T09:00:00.000Z'), seeded], findKinds, toLocalDate)).toEqual([
      { kind: 'appointments' },
      { kind: 'patients' },
    ])
  })
})

it('finds the start instants before and after a change', () => {
  const data = { from: { startsAt: 'a' }, to: { startsAt: 'b' }, slot: null }
  expect(extractStartInstants({ data })).toEqual(['a', 'b'])
})
