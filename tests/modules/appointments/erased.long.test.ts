import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Appointment } from '#contracts/appointments.ts'
import { modules } from '#main/modules.ts'
import { runTool } from '#tests/support/run-tool.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { newSchedulingPractice } from './scheduling-practice.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

async function erase(patientId: string): Promise<string> {
  const { code, out, err } = await runTool(
    'keys',
    ['destroy', patientId, '--why', 'asked for in writing', '--yes'],
    app.toolSettings,
  )
  if (code !== 0) throw new Error(err)
  return out
}

it('keeps the times of an erased patient’s appointments, but neither name nor reason', async () => {
  const { client, book, tryBooking } = await newSchedulingPractice(app)
  const added = await client.post('/api/patients', { firstName: 'Zebulon', lastName: 'Quixley' })
  const patientId = added.body.id as string
  const words = { patientId, reason: 'Xylograph', notes: 'Yttrium' }
  const past = await book('2021-03-03T09:00', { ...words, status: 'completed' })
  const coming = await book('2031-03-03T09:00', words)
  await client.patch(`/api/appointments/${past.id}`, { notes: 'Yttrium twice' })
  await client.post('/api/waitlist', { patientId, type: 'check-up', notes: 'Zirconium' })
  await erase(patientId)
  const look = async (id: string) => (await client.get(`/api/appointments/${id}`)).body as Appointment
  await waitUntil(async () => (await look(coming.id)).status === 'cancelled')
  expect(await look(past.id)).toMatchObject({
    appointmentDate: past.appointmentDate,
    status: 'completed',
    fee: past.fee,
    patient: { firstName: 'Erased', lastName: 'patient' },
    reason: null,
    notes: null,
  })
  expect((await client.get('/api/waitlist')).body).toEqual([])
  for (const { name } of modules.flatMap(({ projections = [] }) => projections)) {
    const { rows } = await app.services.pool.query(`select to_jsonb(t)::text as row from read.${name} t`)
    expect(JSON.stringify(rows)).not.toMatch(/Zebulon|Quixley|Xylograph|Yttrium|Zirconium/)
  }
  // The slot of a past appointment stays reserved; that of a cancelled one is free.
  expect((await tryBooking('2021-03-03T09:00')).status).toBe(409)
  await book('2031-03-03T09:00')
})
