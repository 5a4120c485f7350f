import { describe, it } from 'vitest'
import { CalendarFeedId, PracticeId, UserId } from '#contracts/values/ids.ts'
import { calendarFeedDecider } from '#modules/calendar-feeds/decider.ts'
import type { CalendarFeedEvent } from '#modules/calendar-feeds/events.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import { practiceId, provider, uuid } from '#tests/modules/appointments/fixtures.ts'

const given = deciderSpec(calendarFeedDecider)
const created: Extract<CalendarFeedEvent, { type: 'CalendarFeedCreated' }> = {
  type: 'CalendarFeedCreated',
  data: {
    calendarFeedId: CalendarFeedId.parse(uuid(8, 1)),
    practiceId,
    providerId: provider(1),
    label: 'Phone',
    secretHash: 'abc',
    createdBy: UserId.parse(uuid(9, 1)),
  },
}
const revoked: CalendarFeedEvent = {
  type: 'CalendarFeedRevoked',
  data: { calendarFeedId: created.data.calendarFeedId },
}

const ended: CalendarFeedEvent = {
  type: 'CalendarFeedEnded',
  data: { calendarFeedId: created.data.calendarFeedId, reason: 'permission-lost' },
}

describe('a calendar feed', () => {
  it('is created once', () => {
    given().when({ type: 'Create', feed: created.data }).then(created)
    given(created).when({ type: 'Create', feed: created.data }).thenNothing()
    given(created, revoked).when({ type: 'Create', feed: created.data }).thenNothing()
  })

  it('is revoked once, by its practice', () => {
    given(created).when({ type: 'Revoke', practiceId }).then(revoked)
    given(created, revoked).when({ type: 'Revoke', practiceId }).thenRefused('not-found')
    given(created)
      .when({ type: 'Revoke', practiceId: PracticeId.parse(uuid(1, 2)) })
      .thenRefused('not-found')
    given().when({ type: 'Revoke', practiceId }).thenRefused('not-found')
  })

  it('ends once, for good, and can then be removed from the list', () => {
    given(created).when({ type: 'End', reason: 'permission-lost' }).then(ended)
    given(created, ended).when({ type: 'End', reason: 'creator-left' }).thenNothing()
    given(created, revoked).when({ type: 'End', reason: 'creator-left' }).thenNothing()
    given().when({ type: 'End', reason: 'creator-left' }).thenNothing()
    given(created, ended).when({ type: 'Create', feed: created.data }).thenNothing()
    given(created, ended).when({ type: 'Revoke', practiceId }).then(revoked)
  })
})
