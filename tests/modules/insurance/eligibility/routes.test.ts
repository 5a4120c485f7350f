import { randomUUID } from 'node:crypto'
import { addDays } from 'date-fns/addDays'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Integration } from '#contracts/integrations.ts'
import { type InsuranceVerification, NewVerification, type VerificationDetails } from '#contracts/insurance.ts'
import { BookingConcern } from '#contracts/values/appointments.ts'
import { recheckDays } from '#contracts/values/eligibility.ts'
import { EligibilityInquiryId, InsuranceVerificationId, PatientId, PracticeId } from '#contracts/values/ids.ts'
import type { TimedCommand } from '#eventstore/command.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import { type VerificationCommand, verificationDecider } from '#modules/insurance/decider.ts'
import { eligibilityDecider } from '#modules/insurance/eligibility/decider.ts'
import { askAboutVerification } from '#modules/insurance/eligibility/jobs.ts'
import { requestRechecks } from '#modules/insurance/eligibility/recheck-job.ts'
import { processContext } from '#modules/kit/process-context.ts'
import { newSubscriber } from '#tests/support/billing.ts'
import {
  type EligibilityCall,
  type EligibilityResponse,
  startClearinghouseServer,
} from '#tests/support/clearinghouse-server.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { someOf, itLong } from '#tests/support/long.ts'
import { activePlan, compose271 } from './replies.ts'

let app: TestApp
let server: Awaited<ReturnType<typeof startClearinghouseServer>>
/** The replies to the next questions; then the plan is active. */
let replies: ((call: EligibilityCall) => EligibilityResponse)[] = []

const say =
  (...body: string[]) =>
  ({ trace }: EligibilityCall) => ({ x12: compose271(body, { trace }) })

beforeAll(async () => {
  server = await startClearinghouseServer((call) => (replies.shift() ?? say(...activePlan))(call))
  app = await startTestApp({ clearinghouse: server.settings })
  app.stopClock()
  app.advanceClock(Date.parse('2031-03-10T18:00:00.000Z') - app.services.clock().getTime())
})
afterEach(() => {
  replies = []
  server.calls.splice(0)
})
afterAll(async () => {
  await app.dispose()
  await server.close()
})

const policy = { insuranceProvider: 'Summit Mutual', policyNumber: 'SM-7741-0093' }
const patient = {
  firstName: 'Grace',
  lastName: 'Liu',
  dateOfBirth: '1980-01-02',
  email: 'grace@example.test',
  phone: '617 555 0142',
  address: '12 Elm Street',
}

async function newPractice() {
  const { client, practice } = await newSubscriber(app, 'starter')
  const patientId = (await client.post('/api/patients', patient)).body.id as string
  const verify = async (over: object = {}) => {
    const { status, body } = await client.post('/api/insurance/verify', { patientId, ...policy, ...over })
    expect(status).toBe(201)
    return body as InsuranceVerification
  }
  const read = async ({ id }: { id: string }) => (await client.get(`/api/insurance/${id}`)).body as VerificationDetails
  /** Waits until the insurer has answered a question that was asked at least `attempt` times, and returns the verification. */
  const answered = async (
    verification: { id: string },
    isDone = ({ eligibility }: VerificationDetails) => Boolean(eligibility?.outcome),
  ) => {
    await waitUntil(async () => isDone(await read(verification)))
    return await read(verification)
  }
  return { client, practice, patientId, verify, read, answered }
}

/** Makes questions due that wait for their time. */
const skipPauses = () =>
  app.services.pool.query(
    `update jobs.job set start_after = now() where name = 'ask-clearinghouse' and state = 'created'`,
  )

const status = (wanted: string) => (verification: InsuranceVerification) => verification.verificationStatus === wanted

describe('an insurer that is asked', () => {
  it('verifies a policy with the dates of the coverage, by a question with what it needs and no more', async () => {
    const { verify, answered } = await newPractice()
    const added = await verify({ notes: 'Called about her rash' })
    expect(added).toMatchObject({ verificationStatus: 'pending', check: { by: 'clearinghouse' } })
    expect(await answered(added, status('verified'))).toMatchObject({
      eligibilityDate: '2031-01-01',
      expiryDate: '2031-12-31',
      verifiedBy: null,
      verifiedOn: '2031-03-10',
      eligibility: { outcome: 'active', code: 'EB 1', isRetried: false },
      history: [{ status: 'verified' }, { changedFields: ['eligibilityDate', 'expiryDate'] }, {}],
    })
    const [call, ...more] = server.calls
    expect(more).toEqual([])
    expect(call).toMatchObject({ authorization: 'Bearer key-of-the-test-run', keys: ['x12'] })
    expect(call?.x12).toContain('NM1*IL*1*LIU*GRACE****MI*SM-7741-0093~')
    expect(call?.x12).toContain('DTP*291*D8*20310310~')
    expect(call?.x12).not.toMatch(/example|617|elm|rash/i)
  })

  it('denies one that is inactive, also on the day of the next appointment only', async () => {
    const { client, verify, answered, patientId } = await newPractice()
    replies = [say('EB*6**30')]
    expect(await answered(await verify(), status('denied'))).toMatchObject({
      verifiedBy: null,
      eligibility: { outcome: 'inactive', code: 'EB 6' },
    })
    const appointment = {
      patientId,
      appointmentDate: '2032-01-05T09:00',
      type: 'check-up',
      confirmed: BookingConcern.options,
    }
    expect((await client.post('/api/appointments', appointment)).status).toBe(201)
    const later = await answered(await verify({ policyNumber: 'SM-2' }), status('denied'))
    expect(later).toMatchObject({ expiryDate: '2031-12-31', eligibility: { outcome: 'not-covered' } })
    expect(server.calls.at(-1)?.x12).toContain('DTP*291*D8*20320105~')
  })

  it('is asked on request only where the practice has switched off that it is asked by itself', async () => {
    const { client, practice, verify, read, answered } = await newPractice()
    expect(
      (await client.patch('/api/automation/switches', { automation: 'eligibility', isOn: false })).body,
    ).toMatchObject({
      isOn: false,
      isConnected: true,
    })
    const added = await verify()
    expect(added).toMatchObject({ check: { by: 'on-request' }, eligibility: null })
    expect((await client.get('/api/insurance/counts')).body).toMatchObject({ checkedBy: 'on-request' })
    const cause = { correlationId: added.id, causationId: added.id }
    const data = { verificationId: added.id, practiceId: practice.id, attempt: 1, cause } as const
    const job = askAboutVerification.data.parse(data)
    await askAboutVerification.run(app.services, job, { id: added.id, attempt: 1, signal: AbortSignal.timeout(10_000) })
    expect([server.calls, (await read(added)).eligibility]).toEqual([[], null])
    expect((await client.post(`/api/insurance/${added.id}/ask`)).status).toBe(202)
    expect(await answered(added, status('verified'))).toMatchObject({ eligibility: { outcome: 'active' } })
    expect(server.calls).toHaveLength(1)
  })

  it('is among the integrations, with the end of the last question', async () => {
    const { client, verify, answered } = await newPractice()
    const find = async () => {
      const { items } = (await client.get('/api/integrations')).body as { items: Integration[] }
      return items.find(({ name }) => name === 'clearinghouse')
    }
    app.advanceClock(1_000)
    replies = [() => ({ status: 400 })]
    await answered(await verify({ policyNumber: 'SM-3' }))
    expect(await find()).toMatchObject({ status: 'error', canTest: false, lastError: { code: 'http-400' } })
    // A refusal is an answer too.
    replies = [say('AAA*N**75*C')]
    app.advanceClock(1_000)
    await answered(await verify({ policyNumber: 'SM-4' }))
    expect(await find()).toMatchObject({ status: 'connected', lastSuccessAt: '2031-03-10T18:00:00.000Z' })
  })

  it('leaves to a person what it does not decide, and is asked again about corrected data', async () => {
    const { client, verify, answered } = await newPractice()
    replies = [say('AAA*N**75*C')]
    const added = await verify()
    expect(await answered(added)).toMatchObject({
      verificationStatus: 'pending',
      eligibility: { outcome: 'correct-data', code: 'AAA 75', isRetried: false },
    })
    await client.patch(`/api/insurance/${added.id}`, { notes: 'Asked for the card' })
    expect(server.calls).toHaveLength(1)
    replies = [say('AAA*N**41*C')]
    await client.patch(`/api/insurance/${added.id}`, { policyNumber: 'SM-7741-0094' })
    const refused = ({ eligibility }: InsuranceVerification) => eligibility?.outcome === 'enrolment'
    expect(await answered(added, refused)).toMatchObject({ verificationStatus: 'pending' })
    const again = await client.post(`/api/insurance/${added.id}/ask`)
    expect([again.status, again.body.id]).toEqual([202, added.id])
    await answered(added, status('verified'))
    expect(server.calls).toHaveLength(3)
    await client.patch(`/api/insurance/${added.id}`, { verificationStatus: 'denied' })
    expect(await client.post(`/api/insurance/${added.id}/ask`)).toMatchObject({
      status: 409,
      problem: { code: 'wrong-status' },
    })
  })

  const temporary: [string, EligibilityResponse | 'busy'][] = [
    ['its system is busy', 'busy'],
    ['the clearinghouse fails', { status: 503, body: 'try later' }],
    ['it is asked too often', { status: 429, body: '' }],
    ['the connection is lost', { isLost: true }],
  ]
  it.each(someOf(temporary, 1))('is asked again by itself when %s', async (_, response) => {
    const { verify, answered } = await newPractice()
    replies = [response === 'busy' ? say('AAA*N**42*R') : () => response]
    const added = await verify()
    expect(await answered(added)).toMatchObject({
      verificationStatus: 'pending',
      eligibility: { outcome: 'retry-later', isRetried: true },
    })
    await waitUntil(async () => (await skipPauses()).rowCount === 1)
    await answered(added, status('verified'))
    expect(server.calls).toHaveLength(2)
  })

  it.each<[string, EligibilityResponse]>([
    ['garbage', { body: '<html>502 Bad Gateway</html>' }],
    ['JSON without an answer', { body: '{"x12": 5}' }],
    ['a message that was cut off', { x12: compose271(activePlan).slice(0, -40) }],
    ['the answer to another question', { x12: compose271(activePlan, { trace: 'OTHER' }) }],
    ['a refusal of the key', { status: 401, body: '{}' }],
  ])('decides nothing by %s', async (_, response) => {
    const { verify, answered } = await newPractice()
    replies = [() => response]
    expect(await answered(await verify())).toMatchObject({
      verificationStatus: 'pending',
      eligibility: { outcome: 'no-answer', isRetried: false },
    })
  })

  it('does not overrule a person who decided in the meantime', async () => {
    const { client, verify, answered } = await newPractice()
    const held = Promise.withResolvers<undefined>()
    replies = [(call) => ({ ...say('EB*6**30')(call), after: held.promise })]
    const added = await verify()
    await waitUntil(() => server.calls.length === 1)
    await client.patch(`/api/insurance/${added.id}`, { verificationStatus: 'verified', expiryDate: '2031-06-30' })
    held.resolve(undefined)
    expect(await answered(added)).toMatchObject({
      verificationStatus: 'verified',
      expiryDate: '2031-06-30',
      eligibility: { outcome: 'inactive' },
    })
  })

  it('is asked under the same id after a kill, and decides once', async () => {
    const { practice, patientId, verify, answered, read } = await newPractice()
    replies = [say('AAA*N**75*C')]
    const { id } = await answered(await verify())
    const verificationId = InsuranceVerificationId.parse(id)
    const practiceId = PracticeId.parse(practice.id)
    const jobId = deriveId('a job that was killed')
    const inquiryId = EligibilityInquiryId.parse(deriveId(`eligibility ${jobId}`))
    const cause = { correlationId: jobId, causationId: jobId }
    // It was killed after it had announced the question.
    const question = {
      inquiryId,
      verificationId,
      practiceId,
      patientId: PatientId.parse(patientId),
      attempt: 1,
      serviceDate: '2031-03-10',
      askedAt: app.services.clock().toISOString(),
    }
    const context = processContext('test', practiceId, cause)
    await app.services.bus.execute(eligibilityDecider, verificationId, { type: 'Ask', question }, context)
    const run = async (attempt: number) =>
      await askAboutVerification.run(
        app.services,
        { verificationId, practiceId, attempt: 1, isRequested: false, cause },
        { id: jobId, attempt, signal: new AbortController().signal },
      )
    await run(2)
    await answered({ id }, status('verified'))
    await run(3)
    expect(server.calls.map(({ idempotencyKey }) => idempotencyKey).slice(1)).toEqual([inquiryId])
    expect((await read({ id })).history.filter(({ status: entry }) => entry === 'verified')).toHaveLength(1)
  })
})

describe('a verified policy of a patient who is expected', () => {
  beforeAll(() => {
    // Four in the morning in New York.
    app.advanceClock(14 * 3_600_000)
  })

  const inDays = (days: number) => addDays(app.services.clock(), days)
  const requestAll = () => requestRechecks(app.services, randomUUID(), new AbortController().signal)

  /** Adds a policy that a person verified some days ago, and an appointment in two days. */
  async function newExpected(daysAgo: number = recheckDays.apart) {
    const known = await newPractice()
    const practiceId = PracticeId.parse(known.practice.id)
    const patientId = PatientId.parse(known.patientId)
    const id = InsuranceVerificationId.parse(randomUUID())
    const { verificationStatus: _, patientId: __, ...fields } = NewVerification.parse({ patientId, ...policy })
    const decision = { verifiedBy: null, verifiedOn: '2031-01-02' }
    const move = { type: 'Move', event: 'InsuranceVerified', data: decision, practiceId, today: '2031-01-02' } as const
    const at = inDays(-daysAgo).toISOString()
    const commands: TimedCommand<VerificationCommand>[] = [
      { command: { type: 'Create', id, practiceId, patientId, fields }, at },
      { command: move, at },
    ]
    const cause = { correlationId: id, causationId: id }
    await app.services.bus.executeAll(verificationDecider, id, commands, processContext('test', practiceId, cause))
    // The question about the new policy, which finds it verified.
    await waitUntil(async () => (await countDone(id)) === 1)
    const appointment = {
      patientId,
      appointmentDate: inDays(2).toISOString(),
      type: 'check-up',
      confirmed: BookingConcern.options,
    }
    expect((await known.client.post('/api/appointments', appointment)).status).toBe(201)
    return { ...known, verification: { id }, practiceId }
  }

  /** Counts the questions about a verification that are over, asked or not. */
  const countDone = async (id: string) => {
    const { rowCount } = await app.services.pool.query(
      `select from jobs.job where name = 'ask-clearinghouse' and state = 'completed' and data->>'verificationId' = $1`,
      [id],
    )
    return rowCount
  }

  it('is asked about again in the night, once, and stays verified with the dates of the insurer', async () => {
    const { verification, answered, read } = await newExpected()
    await requestAll()
    await requestAll()
    const confirmed = ({ eligibility }: VerificationDetails) => eligibility?.outcome === 'active'
    expect(await answered(verification, confirmed)).toMatchObject({ verificationStatus: 'verified' })
    await waitUntil(async () => (await read(verification)).expiryDate === '2031-12-31')
    expect((await read(verification)).history.map(({ status: entry }) => entry)).toEqual([null, 'verified', 'pending'])
    await requestAll()
    expect([server.calls.length, await countDone(verification.id)]).toEqual([1, 2])
  })

  it('is denied, with a notification, when the coverage has ended', async () => {
    const { client, verification, answered } = await newExpected()
    // People are notified of what happens after they joined.
    app.advanceClock(1_000)
    replies = [say('EB*6**30')]
    await requestAll()
    expect(await answered(verification, status('denied'))).toMatchObject({ eligibility: { outcome: 'inactive' } })
    await waitUntil(async () => {
      const { body } = await client.get('/api/notifications')
      return (body as { items: { kind: string }[] }).items.some(({ kind }) => kind === 'coverage-denied')
    })
  })

  it('waits for a person when the insurer does not know the member any more, without another question', async () => {
    const { verification, answered } = await newExpected()
    replies = [say('AAA*N**75*C')]
    await requestAll()
    expect(await answered(verification, status('pending'))).toMatchObject({ eligibility: { outcome: 'correct-data' } })
    expect(server.calls).toHaveLength(1)
  })

  it('is not asked about when it was verified lately, or the practice has switched that off', async () => {
    const lately = await newExpected(recheckDays.apart - 1)
    const off = await newExpected()
    const switched = await off.client.patch('/api/automation/switches', {
      automation: 'coverage-rechecks',
      isOn: false,
    })
    expect(switched.status).toBe(200)
    await requestAll()
    await waitUntil(async () => (await countDone(lately.verification.id)) === 2)
    expect([server.calls, await countDone(off.verification.id)]).toEqual([[], 1])
    // A user can ask at any time.
    expect((await off.client.post(`/api/insurance/${off.verification.id}/ask`)).status).toBe(202)
    const confirmed = ({ eligibility }: VerificationDetails) => eligibility?.outcome === 'active'
    expect(await off.answered(off.verification, confirmed)).toMatchObject({ verificationStatus: 'verified' })
  })
})

describe('without a clearinghouse', () => {
  itLong('no one is asked, and a person decides', async () => {
    const other = await startTestApp()
    try {
      const { client } = await newSubscriber(other, 'starter')
      const patientId = (await client.post('/api/patients', patient)).body.id as string
      const { body } = await client.post('/api/insurance/verify', { patientId, ...policy })
      expect(body).toMatchObject({ check: { by: 'stand-in' }, eligibility: null, verificationStatus: 'pending' })
      expect(await client.post(`/api/insurance/${body.id}/ask`)).toMatchObject({
        status: 409,
        problem: { code: 'not-configured' },
      })
    } finally {
      await other.dispose()
    }
  })
})
