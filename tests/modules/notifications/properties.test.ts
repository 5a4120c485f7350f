import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fold, isRejection } from '#eventstore/decider.ts'
import { type Choices, defaultChoices, preferenceDecider, readDecider } from '#modules/notifications/decider.ts'
import { NotificationPreferencesChanged, NotificationsRead } from '#modules/notifications/events.ts'
import { notificationPreferencesProjection, notificationReadsProjection } from '#modules/notifications/projection.ts'
import { applyEvent, type Rows } from '#projections/projection.ts'
import { recordedEvent } from '#tests/support/events.ts'
import { cases } from '#tests/support/long.ts'
import { notificationId, practiceId, userId } from './fixtures.ts'

const marked = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 10 })

it('records each notification as read exactly once, whatever is marked, and the read model contains these', () => {
  fc.assert(
    fc.property(fc.array(marked, { maxLength: 30 }), (steps) => {
      const history: NotificationsRead[] = []
      for (const numbers of steps) {
        const command = { type: 'MarkRead', userId, practiceId, notificationIds: numbers.map(notificationId) } as const
        const decision = readDecider.decide(command, fold(readDecider, history))
        if (isRejection(decision)) throw new Error('Marking as read is never refused')
        for (const event of decision) expect(NotificationsRead.parse(event)).toEqual(event)
        history.push(...decision)
        expect(readDecider.decide(command, fold(readDecider, history))).toEqual([])
      }
      const recorded = history.flatMap(({ data }) => data.notificationIds)
      const expected = new Set(steps.flat().map(notificationId))
      expect(recorded).toHaveLength(expected.size)
      expect(new Set(recorded)).toEqual(expected)
      const rows: Rows = new Map()
      for (const event of history) applyEvent(notificationReadsProjection, rows, recordedEvent(event))
      expect(new Set([...rows.values()].map((row) => row?.['notification_id']))).toEqual(expected)
    }),
    { numRuns: cases(300, 10_000) },
  )
})

const choices = fc.record(
  Object.fromEntries(Object.keys(defaultChoices).map((name) => [name, fc.boolean()])) as Record<
    keyof Choices,
    fc.Arbitrary<boolean>
  >,
  { requiredKeys: [] },
)

it('keeps what was chosen last, and the read model agrees', () => {
  fc.assert(
    fc.property(fc.array(choices, { maxLength: 20 }), (steps) => {
      const history: NotificationPreferencesChanged[] = []
      let expected: Choices = defaultChoices
      for (const chosen of steps) {
        const command = { type: 'ChangePreferences', userId, practiceId, choices: chosen } as const
        const decision = preferenceDecider.decide(command, fold(preferenceDecider, history))
        if (isRejection(decision)) throw new Error('Choosing is never refused')
        for (const event of decision) {
          expect(NotificationPreferencesChanged.parse(event)).toEqual(event)
          // What changed is named on both sides, with different values.
          for (const [name, value] of Object.entries(event.data.to))
            expect(event.data.from[name as keyof Choices]).toBe(!value)
        }
        history.push(...decision)
        expected = { ...expected, ...chosen }
        expect(fold(preferenceDecider, history)).toEqual(expected)
      }
      const rows: Rows = new Map()
      for (const event of history) applyEvent(notificationPreferencesProjection, rows, recordedEvent(event))
      if (history.length > 0)
        expect(rows.get(userId)).toEqual({
          user_id: userId,
          appointment_reminders: expected.appointmentReminders,
          ai_alerts: expected.aiAlerts,
          form_submissions: expected.formSubmissions,
          insurance_updates: expected.insuranceUpdates,
          daily_digest: expected.dailyDigest,
        })
    }),
    { numRuns: cases(300, 10_000) },
  )
})
