import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { InsuranceVerification } from '#contracts/insurance.ts'
import type { AppointmentDetails } from '#contracts/appointments.ts'
import type { AiInsight } from '#contracts/insights.ts'
import { compareAllMissing } from '#modules/insurance/recorded-policies/jobs.ts'
import { subscribe, waitForUserSubscription } from '#tests/support/billing.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { newSchedulingPractice } from '#tests/modules/appointments/scheduling-practice.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  app.stopClock()
  app.advanceClock(Date.parse('2031-03-10T15:00:00.000Z') - app.services.clock().getTime())
})
afterAll(() => app.dispose())

const summit = { provider: 'Summit Mutual', policyNumber: 'SM-7741-0093' }
const beacon = { provider: 'Beacon Health', policyNumber: 'BH-220' }

async function newPractice() {
  const { client, patientId, book } = await newSchedulingPractice(app, { timezone: 'America/New_York' })
  await subscribe(client, 'professional')
  await waitForUserSubscription(client, 'trial')
  const record = (insuranceInfo: object | null) => client.patch(`/api/patients/${patientId}`, { insuranceInfo })
  const verify = async ({ provider, policyNumber }: typeof summit, verificationStatus = 'verified') => {
    const body = { patientId, insuranceProvider: provider, policyNumber, verificationStatus }
    const reply = await client.post('/api/insurance/verify', body)
    expect(reply.status).toBe(201)
    return reply.body as InsuranceVerification
  }
  const read = async ({ id }: { id: string }) =>
    (await client.get(`/api/insurance/${id}`)).body as InsuranceVerification
  const until = (verification: InsuranceVerification, policyInRecord: string) =>
    waitUntil(async () => (await read(verification)).policyInRecord === policyInRecord)
  const coverageOf = async ({ id }: { id: string }) =>
    ((await client.get(`/api/appointments/${id}`)).body as AppointmentDetails).coverage
  const insights = async () =>
    ((await client.get('/api/ai/insights')).body as AiInsight[]).filter(({ title }) =>
      title.includes('another insurance'),
    )
  return { client, patientId, book, record, verify, until, coverageOf, insights }
}

it('says of a verification whether its patient has another insurance in the record', async () => {
  const { client, patientId, record, verify, until } = await newPractice()
  const verification = await verify(summit)
  await until(verification, 'none')
  await record(beacon)
  await until(verification, 'other')
  await record({ ...summit, policyNumber: 'sm 7741 0093' })
  await until(verification, 'same')
  await client.patch(`/api/insurance/${verification.id}`, { policyNumber: 'SM-7741-0094' })
  await until(verification, 'other')
  const { body: list } = await client.get(`/api/insurance?patientId=${patientId}`)
  expect(list).toMatchObject([{ id: verification.id, policyInRecord: 'other' }])
  const find = async (policyInRecord: string) =>
    (await client.get(`/api/insurance?policyInRecord=${policyInRecord}`)).body
  expect(await find('other')).toMatchObject([{ id: verification.id }])
  expect(await find('same')).toEqual([])
  expect((await client.get('/api/insurance/export?policyInRecord=other')).body).toContain(verification.id)
  expect((await client.get('/api/insurance?policyInRecord=x')).status).toBe(422)
  await record(null)
  await until(verification, 'none')
})

it('says of an appointment that another insurance than the one in the record is verified, until that is verified, too', async () => {
  const { client, book, record, verify, until, coverageOf, insights } = await newPractice()
  const appointment = await book('2031-03-17T09:00')
  await record(summit)
  const first = await verify(summit)
  // The job writes after the reply, and each read model follows on its own.
  const covered = { status: 'covered', verificationId: first.id, isOtherPolicy: false }
  await expect.poll(() => coverageOf(appointment)).toEqual(covered)
  expect(await insights()).toEqual([])

  await record(beacon)
  await expect.poll(() => coverageOf(appointment)).toEqual({ ...covered, isOtherPolicy: true })
  expect(await insights()).toMatchObject([{ priority: 'medium', basedOn: [{ kind: 'appointment' }] }])

  const second = await verify(beacon, 'pending')
  const pending = { status: 'unknown', verificationId: second.id, isOtherPolicy: false }
  await until(second, 'same')
  await expect.poll(() => coverageOf(appointment)).toEqual(pending)
  expect(await insights()).toEqual([])
  await client.patch(`/api/insurance/${second.id}`, { verificationStatus: 'denied' })
  expect(await coverageOf(appointment)).toEqual({ ...covered, isOtherPolicy: true })
})

it('compares later what no job has compared, but nothing of removed patients', async () => {
  const { client, record, verify, until } = await newPractice()
  await record(beacon)
  await app.services.pool.query(`
    create function jobs.lose() returns trigger language plpgsql as 'begin return null; end';
    create trigger lose before insert on jobs.job for each row when (new.name = 'compare-policies') execute function jobs.lose()`)
  const verification = await verify(summit)
  const { body: gone } = await client.post('/api/patients', { firstName: 'Ella', lastName: 'Gone' })
  const policy = { insuranceProvider: 'Summit Mutual', policyNumber: 'SM-2', patientId: gone.id }
  const ofRemoved = await client.post('/api/insurance/verify', policy)
  expect((await client.delete(`/api/patients/${gone.id}`)).status).toBe(204)
  await compareAllMissing(app.services, randomUUID(), new AbortController().signal)
  await until(verification, 'other')
  const { rows } = await app.services.pool.query(
    'select from read.insurance_policy_comparisons where verification_id = $1',
    [ofRemoved.body.id],
  )
  expect(rows).toEqual([])
})
