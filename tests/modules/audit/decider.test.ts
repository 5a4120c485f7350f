import { describe, it } from 'vitest'
import { refusalDecider } from '#modules/audit/decider.ts'
import type { RefusalEvent } from '#modules/audit/events.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'

const given = deciderSpec(refusalDecider)
const period = { firstAt: '2026-11-22T08:00:00.000Z', lastAt: '2026-11-22T08:00:59.000Z' }
const refusal: RefusalEvent = {
  type: 'RequestRefused',
  data: {
    method: 'GET',
    route: '/api/billing',
    status: 403,
    code: 'forbidden',
    addressHash: 'a1',
    count: 3,
    ...period,
  },
}
const further: RefusalEvent = { type: 'FurtherRequestsRefused', data: { count: 2, ...period } }

describe('a refusal', () => {
  it('is recorded', () => given().when({ type: 'Record', refusal }).then(refusal))
  it('is recorded once', () => given(refusal).when({ type: 'Record', refusal }).thenNothing())
  it('may stand for many different ones', () => given().when({ type: 'Record', refusal: further }).then(further))
})
