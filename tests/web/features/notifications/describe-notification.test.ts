import { expect, it } from 'vitest'
import { Notification } from '#contracts/notifications.ts'
import { describeNotification } from '#web/features/notifications/describe-notification.ts'

const describe = (details: object, hasLapsed = false) => {
  const common = { id: '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0101', at: '2026-11-20T08:00:00.000Z', isRead: false }
  const { title, detail } = describeNotification(Notification.parse({ ...common, ...details }), hasLapsed)
  return [title, detail]
}
const importId = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0060'

it('describes an import with its counts as far as they are known', () => {
  const counts = { created: 2, skipped: 0, failed: 1 }
  expect(describe({ kind: 'import-finished', importId, ...counts })).toEqual([
    'Patient import finished',
    '2 patients added, 1 row not imported',
  ])
  expect(describe({ kind: 'import-finished', importId })).toEqual(['Patient import finished', ''])
})

it('does not say whether an import or its undo was given up', () => {
  expect(describe({ kind: 'import-failed', importId })).toEqual([
    'Patient import needs attention',
    'Open it to continue',
  ])
})

it('names who has written, as far as that is known', () => {
  const message = { kind: 'message-received', communicationId: importId }
  const patient = { firstName: 'Grace', lastName: 'Hopper' }
  expect(describe({ ...message, patient })).toEqual(['New message from Grace Hopper', 'Not read yet'])
  expect(describe({ ...message, patient: null })).toEqual(['New message', 'Not read yet'])
})

it('does not promise to keep a plan that has ended', () => {
  const payment = { kind: 'payment-failed', amount: { cents: 129_00, currency: 'USD' } }
  expect(describe(payment)).toEqual(['A payment of $129.00 failed', 'Update the card to keep your plan'])
  expect(describe(payment, true)).toEqual(['A payment of $129.00 failed', 'Your plan has ended'])
})
