import { describe, expect, it } from 'vitest'
import type { NewsletterEvent } from '#modules/newsletter/events.ts'
import { listConfirmedSubscribers } from '#modules/newsletter/export-subscribers.ts'
import { newsletterSubscribers } from '#modules/newsletter/projection.ts'
import { applyEvent, type Rows } from '#projections/projection.ts'
import { recordedEvent } from '#tests/support/events.ts'
import { at, confirmed, email, left, requested, subscriberId, subscriptionId } from './fixtures.ts'

const record = (events: readonly NewsletterEvent[]) =>
  events.map((event, revision) => recordedEvent(event, { revision, metadata: { at: at(20 + revision) } }))

function rowAfter(...events: NewsletterEvent[]) {
  const rows: Rows = new Map()
  for (const event of record(events)) applyEvent(newsletterSubscribers, rows, event)
  return rows.get(subscriberId)
}

const row = {
  subscriber_id: subscriberId,
  subscription_id: subscriptionId,
  email,
  send_after: at(20),
  confirmed_at: null,
}

describe('the row of an address', () => {
  it('begins with the request', () => {
    expect(rowAfter(requested())).toEqual(row)
  })

  it('has the time of the confirmation', () => {
    expect(rowAfter(requested(), confirmed)).toEqual({ ...row, confirmed_at: at(21) })
  })

  it('ends when the address leaves', () => {
    expect(rowAfter(requested(), confirmed, left())).toBeNull()
  })

  it('stays without the address when that was erased before the table was rebuilt', () => {
    const erased = requested(at(20), { email: null as never })
    expect(rowAfter(erased)).toEqual({ ...row, email: null })
    expect(rowAfter(erased, left())).toBeNull()
  })
})

describe('the export', () => {
  const list = (...events: NewsletterEvent[]) => {
    const recorded = record(events)
    const readAll = async () => ({ events: recorded, next: null, scanned: recorded.length })
    return listConfirmedSubscribers({ readAll }, new AbortController().signal)
  }

  it('lists confirmed addresses only', async () => {
    expect(await list(requested())).toEqual([])
    expect(await list(requested(), confirmed)).toEqual([{ subscriberId, email, confirmedAt: at(21) }])
    expect(await list(requested(), confirmed, left())).toEqual([])
  })
})
