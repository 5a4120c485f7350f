import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Analytics, AnalyticsRecord } from '#contracts/analytics.ts'
import { newSubscriber } from '#tests/support/billing.ts'
import { waitForMessages } from '#tests/support/outbox.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { itLong } from '#tests/support/long.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

const hourMs = 3_600_000
let people = 0

/** Waits until the job that plans the question about an appointment has run, at once instead of two hours later. */
const runPlan = (appointmentId: string) =>
  waitUntil(async () => {
    await app.services.pool.query(
      `update jobs.job set start_after = now() where name = 'plan-survey' and state in ('created', 'retry')`,
    )
    const { rowCount } = await app.services.pool.query(
      `select from jobs.job where name = 'plan-survey' and state = 'completed' and data->>'appointmentId' = $1`,
      [appointmentId],
    )
    return rowCount === 1
  })

/** A practice that asks its patients, and a way to complete an appointment of a patient. */
async function newPractice(askSatisfaction = true) {
  const { client } = await newSubscriber(app, 'professional')
  const config = { reminderType: 'email', reminderTiming: '24h', autoReschedule: false, askSatisfaction }
  expect((await client.post('/api/appointment-confirmations/config', config)).body).toMatchObject({ askSatisfaction })
  const addPatient = async () => {
    const email = `satisfied-${++people}@example.test`
    const added = await client.post('/api/patients', { firstName: 'Grace', lastName: 'Liu', email })
    return { id: added.body.id as string, email }
  }
  const complete = async (patientId: string, hoursAgo = 2) => {
    const appointmentDate = new Date(Math.floor(Date.now() / 60_000) * 60_000 - hoursAgo * hourMs).toISOString()
    const body = { patientId, appointmentDate, type: 'consultation', allowOverlap: true, status: 'completed' }
    const booked = await client.post('/api/appointments', body)
    expect(booked.status).toBe(201)
    await runPlan(booked.body.id)
    return booked.body as { id: string }
  }
  const [from, to] = [-2, 2].map((days) => new Date(Date.now() + days * 24 * hourMs).toISOString().slice(0, 10))
  const days = `from=${from}&to=${to}`
  const analyze = async () => {
    const { figures } = (await client.get(`/api/analytics?${days}`)).body as Analytics
    return figures.find(({ key }) => key === 'satisfaction')
  }
  const listRecords = async () =>
    (await client.get(`/api/analytics/satisfaction/records?${days}`)).body as AnalyticsRecord[]
  return { client, addPatient, complete, analyze, listRecords }
}

async function receiveLink(email: string) {
  const [message = ''] = await waitForMessages(app, email, 1)
  return { message, link: /\/survey\/[\w.-]+/.exec(message)?.[0] ?? 'none' }
}
const post = async (link: string, fields: Record<string, string>, language = 'en') => {
  const headers = { 'Accept-Language': language }
  const reply = await fetch(`${app.url}${link}`, { method: 'POST', headers, body: new URLSearchParams(fields) })
  return { status: reply.status, text: await reply.text() }
}
const open = async (link: string) => await (await fetch(`${app.url}${link}`)).text()

describe('a patient whose appointment was completed', () => {
  it('is asked once, and the answer is in the figure and among its records', async () => {
    const { client, addPatient, complete, analyze, listRecords } = await newPractice()
    expect(await analyze()).toMatchObject({ value: null, count: 0 })
    const { id, email } = await addPatient()
    const appointment = await complete(id)
    const { message, link } = await receiveLink(email)
    expect(message).toContain('How was your appointment at Harbor Clinic?')
    const page = await open(link)
    for (const label of ['Very good', 'Good', 'Fair', 'Poor', 'Very poor']) expect(page).toContain(label)
    expect(`${message}${page}`).not.toMatch(/Grace|Liu|consultation/)
    // Opening the page changes nothing.
    expect(await analyze()).toMatchObject({ value: null, count: 0 })

    expect((await post(link, { answer: '4' })).text).toContain('Your answer, 4 of 5, has arrived.')
    // The first answer stays.
    expect((await post(link, { answer: '1' })).text).toContain('4 of 5')
    await waitUntil(analyze, (figure) => figure?.count === 1)
    expect(await analyze()).toMatchObject({ value: 80, count: 1, unit: 'score' })
    expect(await listRecords()).toMatchObject([
      { id: appointment.id, kind: 'appointment', patientName: 'Grace Liu', status: '4' },
    ])
    expect((await client.get('/api/patient-communications')).body).toEqual([])

    // Another appointment of the same month is not asked about, and neither is one of last week.
    await complete(id, 1)
    const other = await addPatient()
    await complete(other.id, 7 * 24)
    const count = async () => {
      const sql = 'select count(*)::int4 as n from read.surveys where patient_id = any($1)'
      return (await app.services.pool.query(sql, [[id, other.id]])).rows
    }
    expect(await count()).toEqual([{ n: 1 }])
    // Another patient is asked, and this one again once the thirty days are over.
    const third = await addPatient()
    await complete(third.id)
    expect((await receiveLink(third.email)).message).toContain('How was your appointment')
    const past = `update read.surveys set due_at = due_at - interval '31 days' where patient_id = $1`
    await app.services.pool.query(past, [id])
    await complete(id, 3)
    expect(await count()).toEqual([{ n: 2 }])
  })

  it('with a poor answer, and with words, is among the messages that a person reads', async () => {
    const { client, addPatient, complete } = await newPractice()
    const { id, email } = await addPatient()
    const appointment = await complete(id)
    const { link } = await receiveLink(email)
    expect((await post(link, { comment: 'Too early' })).text).toContain('How was your appointment')
    expect((await post(link, { answer: '2' }, 'es')).text).toContain('Su respuesta, 2 de 5, ha llegado.')
    const said = await post(link, { comment: '  I waited <an> hour.  ' })
    expect(said.text).toContain('Harbor Clinic reads your words.')
    // Sent again, it is the same message.
    await post(link, { comment: 'I waited two hours.' })
    const messages = await waitUntil(
      async () => (await client.get('/api/patient-communications')).body as { messageContent: string }[],
      (found) => found.length === 2,
    )
    expect(messages.map(({ messageContent }) => messageContent).toSorted()).toEqual([
      'I waited <an> hour.',
      'Rated the appointment 2 of 5.',
    ])
    expect(messages).toMatchObject(
      [1, 2].map(() => ({ patientId: id, direction: 'inbound', relatedAppointmentId: appointment.id })),
    )
  })

  itLong('is not asked again after saying so', async () => {
    const { addPatient, complete, analyze } = await newPractice()
    const { id, email } = await addPatient()
    await complete(id)
    const { link } = await receiveLink(email)
    expect((await post(link, { answer: 'stop' })).text).toContain('does not ask you again')
    expect((await post(link, { answer: '5' })).text).toContain('does not ask you again')
    // The pause of thirty days is over.
    await app.services.pool.query(
      `update read.surveys set due_at = due_at - interval '40 days' where patient_id = $1`,
      [id],
    )
    await complete(id, 1)
    const { rows } = await app.services.pool.query('select declined from read.surveys where patient_id = $1', [id])
    expect(rows).toEqual([{ declined: true }])
    expect(await analyze()).toMatchObject({ count: 0 })
  })

  it('is not asked where the practice does not ask', async () => {
    const { addPatient, complete } = await newPractice(false)
    const { id } = await addPatient()
    await complete(id)
    const { rows } = await app.services.pool.query('select from read.surveys where patient_id = $1', [id])
    expect(rows).toEqual([])
  })

  itLong('gets a clear answer to a wrong link and a wrong form', async () => {
    const { addPatient, complete } = await newPractice()
    const { id, email } = await addPatient()
    await complete(id)
    const { link } = await receiveLink(email)
    expect((await fetch(`${app.url}/survey/none`)).status).toBe(404)
    for (const fields of [{}, { answer: '6' }, { answer: '0' }, { answer: 'x' }, { comment: ' ' }, { other: '1' }])
      expect((await post(link, fields as Record<string, string>)).status).toBe(422)
    expect((await post(link, { comment: 'é'.repeat(20_000) })).status).toBe(400)
  })
})
