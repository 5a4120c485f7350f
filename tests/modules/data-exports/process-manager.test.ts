import { expect, it } from 'vitest'
import { followDataExports, jobNames } from '#modules/data-exports/process-manager.ts'
import { getJobRequests } from '#process-managers/process-manager.ts'
import { recordedEvent } from '#tests/support/events.ts'
import {
  downloaded,
  expired,
  expiresAt,
  failed,
  firstId,
  practiceId,
  ready,
  requested,
  retried,
  started,
} from './fixtures.ts'

const requestsOf = (event: Parameters<typeof recordedEvent>[0]) =>
  getJobRequests(followDataExports, recordedEvent(event))
const data = { exportId: firstId, practiceId }

it('writes what is requested, and again when it is retried', () => {
  for (const event of [requested(), retried()]) expect(requestsOf(event)).toMatchObject([{ job: jobNames.write, data }])
})

it('expires what is ready when its time is over, and deletes the file of what has expired', () => {
  expect(requestsOf(ready())).toMatchObject([{ job: jobNames.expire, data, startAfter: expiresAt }])
  const request = { job: jobNames.deleteFile, data: { exportId: firstId } }
  // Half an hour later: a download that has begun goes on.
  for (const event of [expired('time'), expired('replaced')])
    expect(requestsOf(event)).toEqual([{ ...request, startAfter: '2026-11-20T08:30:00.000Z' }])
})

it('needs nothing else', () => {
  for (const event of [started(), failed(), downloaded()]) expect(requestsOf(event)).toEqual([])
})
