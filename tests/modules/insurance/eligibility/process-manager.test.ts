import { expect, it } from 'vitest'
import { UserId } from '#contracts/values/ids.ts'
import type { NewEvent } from '#eventstore/event.ts'
import { askAboutEligibility, maxAttempts } from '#modules/insurance/eligibility/process-manager.ts'
import { getJobRequests } from '#process-managers/process-manager.ts'
import { recordedEvent } from '#tests/support/events.ts'

const someUser: NewEvent['metadata']['actor'] = {
  kind: 'user',
  userId: UserId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0001'),
  role: 'staff',
}
const ids = { verificationId: 'verification', practiceId: 'practice' }

const request = (
  type: string,
  data: object = {},
  { sample = false, actor = someUser }: Partial<NewEvent['metadata']> = {},
) =>
  getJobRequests(
    askAboutEligibility,
    recordedEvent({ type, data: { ...ids, ...data } }, { metadata: { actor, sample, at: '2031-03-10T15:00:00.000Z' } }),
  )
const answered = (outcome: string, attempt: number) => request('EligibilityAnswered', { outcome, attempt })

it('asks about new policies, changed ones, and those that are to be verified again', () => {
  const first = [{ job: 'ask-clearinghouse', data: { ...ids, attempt: 1 } }]
  expect(request('InsuranceVerificationRequested')).toMatchObject(first)
  expect(request('InsuranceVerificationReopened')).toMatchObject(first)
  expect(request('InsuranceVerificationChanged', { to: { policyNumber: 'SM-2' } })).toMatchObject(first)
  expect(request('InsuranceVerificationChanged', { to: { notes: 'Called' } })).toEqual([])
  // The insurer's own dates.
  expect(request('InsuranceVerificationChanged', { to: { expiryDate: '2031-12-31' } })).toEqual([])
})

it('does not ask again about what a process reopened because of an answer', () => {
  expect(request('InsuranceVerificationReopened', {}, { actor: { kind: 'process', name: 'a job' } })).toEqual([])
})

it('asks nothing about the sample practice', () => {
  expect(request('InsuranceVerificationRequested', {}, { sample: true })).toEqual([])
})

it('asks again with longer pauses where the insurer did not answer, and gives up after eight hours', () => {
  const pauses = Array.from({ length: maxAttempts }, (_, index) =>
    answered('retry-later', index + 1).map(({ startAfter, data }) => [
      (Date.parse(startAfter ?? '') - Date.parse('2031-03-10T15:00:00.000Z')) / 60_000,
      (data as { attempt: number }).attempt,
    ]),
  )
  expect(pauses.flat()).toEqual([
    [15, 2],
    [30, 3],
    [60, 4],
    [120, 5],
    [240, 6],
  ])
  for (const outcome of ['active', 'inactive', 'not-covered', 'correct-data', 'enrolment', 'no-answer'])
    expect(answered(outcome, 1)).toEqual([])
})
