import { describe, expect, it } from 'vitest'
import { fold } from '#eventstore/decider.ts'
import { defaultChoices, getReadStreamId, preferenceDecider, readDecider } from '#modules/notifications/decider.ts'
import type { NotificationPreferencesChanged, NotificationsRead } from '#modules/notifications/events.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import { notificationId, practiceId, userId } from './fixtures.ts'

describe('reading notifications', () => {
  const given = deciderSpec(readDecider)
  const mark = (...numbers: number[]) =>
    ({ type: 'MarkRead', userId, practiceId, notificationIds: numbers.map(notificationId) }) as const
  const read = (...numbers: number[]): NotificationsRead => ({
    type: 'NotificationsRead',
    data: { userId, practiceId, notificationIds: numbers.map(notificationId) },
  })

  it('is recorded once for each notification', () => {
    given()
      .when(mark(1, 2, 1))
      .then(read(1, 2))
    given(read(1)).when(mark(1, 2)).then(read(2))
    given(read(1), read(2)).when(mark(2, 1)).thenNothing()
  })

  it('has a stream for each month in UTC', () => {
    expect(getReadStreamId(userId, new Date('2026-11-30T23:59:59.999Z'))).toBe(`${userId}-2026-11`)
    expect(getReadStreamId(userId, new Date('2026-12-01T00:00:00.000Z'))).toBe(`${userId}-2026-12`)
  })
})

describe('the choices of a person', () => {
  const given = deciderSpec(preferenceDecider)
  const change = (choices: Partial<typeof defaultChoices>) =>
    ({ type: 'ChangePreferences', userId, practiceId, choices }) as const
  const changed = (
    from: NotificationPreferencesChanged['data']['from'],
    to: NotificationPreferencesChanged['data']['to'],
  ): NotificationPreferencesChanged => ({
    type: 'NotificationPreferencesChanged',
    data: { userId, practiceId, from, to },
  })

  it('are the four switches of the spec, on, and no daily message', () => {
    expect(fold(preferenceDecider, [])).toEqual({
      appointmentReminders: true,
      aiAlerts: true,
      formSubmissions: true,
      insuranceUpdates: true,
      dailyDigest: false,
    })
  })

  it('record only what is different, before and after', () => {
    given()
      .when(change({ appointmentReminders: false, aiAlerts: true }))
      .then(changed({ appointmentReminders: true }, { appointmentReminders: false }))
    given(changed({ dailyDigest: false }, { dailyDigest: true }))
      .when(change({ dailyDigest: false }))
      .then(changed({ dailyDigest: true }, { dailyDigest: false }))
  })

  it('do not change when nothing is different', () => {
    given()
      .when(change({ ...defaultChoices }))
      .thenNothing()
    given(changed({ aiAlerts: true }, { aiAlerts: false }))
      .when(change({ aiAlerts: false }))
      .thenNothing()
  })
})
