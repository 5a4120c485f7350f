import { describe, expect, it } from 'vitest'
import { toWaiting } from '#web/features/automation/hub-model.ts'

const nothing = {
  appointmentConfirmations: { total: 9, sent: 4, confirmed: 3, pending: 2, declined: 0, failed: 0 },
  callLogs: { total: 2, aiHandled: 0, transferredToHuman: 0, averageDuration: 60, followUps: 0 },
  openMessages: 0,
  clinicalDocs: { total: 3, aiGenerated: 0, providerApproved: 1, pending: 2, inReview: 0 },
  supplyOrders: { total: 4, autoOrdered: 2, pending: 2, delivered: 2, proposed: 0 },
}
const titles = (stats: Partial<typeof nothing>, mayApprove = true) =>
  toWaiting({ ...nothing, ...stats }, mayApprove).map(({ title }) => title)

describe('the work that waits for a person', () => {
  it('is none while all is done', () => {
    expect(titles({})).toEqual([])
  })

  it('names what is open, in singular and plural', () => {
    const count = (number: number) => ({
      appointmentConfirmations: { ...nothing.appointmentConfirmations, failed: number },
      callLogs: { ...nothing.callLogs, followUps: number },
      openMessages: number,
      clinicalDocs: { ...nothing.clinicalDocs, inReview: number },
      supplyOrders: { ...nothing.supplyOrders, proposed: number },
    })
    expect(titles(count(1))).toEqual([
      'A message was not delivered',
      'A call needs a follow-up',
      'A message is not read yet',
      'A note is to be approved',
      'An order is proposed',
    ])
    expect(titles(count(2))).toEqual([
      '2 messages were not delivered',
      '2 calls need a follow-up',
      '2 messages are not read yet',
      '2 notes are to be approved',
      '2 orders are proposed',
    ])
  })

  it('asks nothing about notes of a user who may not approve them', () => {
    expect(titles({ clinicalDocs: { ...nothing.clinicalDocs, inReview: 1 } }, false)).toEqual([])
  })
})
