import sdk from 'twilio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Confirmation } from '#contracts/confirmations.ts'
import type { Notification } from '#contracts/notifications.ts'
import type { PatientCommunication } from '#contracts/patient-communications.ts'
import { readReply } from '#modules/confirmations/replies.ts'
import { newSubscriber } from '#tests/support/billing.ts'
import { waitForJobs } from '#tests/support/job-delays.ts'
import { startStripeServer } from '#tests/support/stripe-server.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

const authToken = 'secret of the tests'
const address = 'https://practice.example'

let app: TestApp
let server: Awaited<ReturnType<typeof startStripeServer>>
beforeAll(async () => {
  server = await startStripeServer(({ form }) =>
    form['To'] === refusedNumber
      ? { status: 400, body: { status: 400, code: 21_610, message: 'The number has unsubscribed.' } }
      : { status: 201, body: { sid: 'SM1' } },
  )
  app = await startTestApp({
    address,
    twilio: { accountSid: `AC${'0'.repeat(32)}`, authToken, from: '+16175550100', apiBase: server.url },
  })
})
afterAll(async () => {
  await app?.dispose()
  await server?.close()
})

let people = 0
/** The number to which the vendor sends nothing. */
let refusedNumber = ''

/** A practice that asks by text, and a patient who was asked about appointments in some hours. */
async function newAskedPatient(...hours: number[]) {
  const { client } = await newSubscriber(app, 'starter')
  const config = { reminderType: 'sms', reminderTiming: '24h', autoReschedule: false }
  expect((await client.post('/api/appointment-confirmations/config', config)).status).toBe(200)
  const phone = `+1617555${String(1_000 + ++people)}`
  const patient = (await client.post('/api/patients', { firstName: 'Grace', lastName: 'Liu', phone })).body
  for (const hour of hours) {
    const appointmentDate = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + hour * 3_600_000).toISOString()
    const booking = { patientId: patient.id, appointmentDate, type: 'consultation', allowOverlap: true }
    // oxlint-disable-next-line no-await-in-loop -- the same provider
    expect((await client.post('/api/appointments', booking)).status).toBe(201)
  }
  const list = async () => (await client.get('/api/appointment-confirmations')).body as Confirmation[]
  const sent = await waitForJobs(
    app.services.pool,
    list,
    (found) => found.length === hours.length && found.every(({ status }) => status === 'sent'),
  )
  const listNoted = async () => (await client.get('/api/patient-communications')).body as PatientCommunication[]
  return { client, phone, patientId: patient.id as string, sent, list, listNoted }
}

/** Calls as Twilio does, with the signature of a token. */
async function call(path: string, fields: Record<string, string>, token = authToken) {
  const signature = sdk.getExpectedTwilioSignature(token, address + path, fields)
  const reply = await fetch(app.url + path, {
    method: 'POST',
    headers: { 'X-Twilio-Signature': signature },
    body: new URLSearchParams(fields),
  })
  return { status: reply.status, text: await reply.text() }
}

let messages = 0
const answer = (phone: string, Body: string, MessageSid = `SM${++messages}`) =>
  call('/api/twilio/messages', { MessageSid, From: phone, To: '+16175550100', Body, NumMedia: '0' })

describe('a question by text', () => {
  it('leaves through the vendor, and is confirmed by an answer', async () => {
    const { client, phone, sent, list, listNoted } = await newAskedPatient(20)
    expect(sent).toMatchObject([{ reminderType: 'sms', delivery: 'sent' }])
    const question = server.calls.findLast(({ form }) => form['To'] === phone)
    expect(question?.form['Body']).toContain(
      'Reply C to confirm. Confirm or decline: https://practice.example/confirm/',
    )
    const [first, repeated] = [await answer(phone, ' Sí! ', 'SM-one'), await answer(phone, ' Sí! ', 'SM-one')]
    expect(first).toEqual(repeated)
    expect(first.status).toBe(200)
    expect(first.text).toMatch(/<Response><Message>Harbor Clinic: your appointment on .* is confirmed\. Thank you\./)
    expect(await list()).toMatchObject([{ status: 'confirmed' }])
    expect(await listNoted()).toEqual([])
    const appointment = await client.get(`/api/appointments/${sent[0]?.appointmentId}`)
    expect(appointment.body.status).toBe('confirmed')
  })

  it('becomes a message to the practice when the answer says something else, once', async () => {
    const { client, phone, patientId, sent, list, listNoted } = await newAskedPatient(20)
    const text = 'Can I bring my son & his <form>?'
    const [first] = [await answer(phone, text, 'SM-two'), await answer(phone, text, 'SM-two')]
    expect(first.text).toContain('Harbor Clinic reads your message later. Reply C to confirm, open the link')
    expect(await listNoted()).toMatchObject([
      {
        patientId,
        communicationType: 'sms',
        direction: 'inbound',
        messageContent: text,
        status: 'sent',
        sentBy: null,
        relatedAppointmentId: sent[0]?.appointmentId,
      },
    ])
    expect(await list()).toMatchObject([{ status: 'sent' }])
    const listBell = async () =>
      ((await client.get('/api/notifications')).body.items as Notification[]).filter(
        (notification) => notification.kind === 'message-received',
      )
    const [noted] = await listNoted()
    expect(await listBell()).toMatchObject([{ communicationId: noted?.id, patient: { firstName: 'Grace' } }])
    expect((await client.patch(`/api/patient-communications/${noted?.id}`, { status: 'read' })).status).toBe(200)
    expect(await listBell()).toEqual([])
  })

  it('is not answered for the wrong one of two appointments', async () => {
    const { phone, list } = await newAskedPatient(20, 21)
    expect((await answer(phone, 'C')).text).toContain('more than one appointment')
    expect((await list()).map(({ status }) => status)).toEqual(['sent', 'sent'])
  })

  it('is answered for the new time of an appointment that moved after it was asked about', async () => {
    const { client, phone, sent, list } = await newAskedPatient(20)
    const id = sent[0]?.appointmentId
    const appointmentDate = new Date(Date.parse(sent[0]?.appointmentDate ?? '') + 3_600_000).toISOString()
    expect((await client.patch(`/api/appointments/${id}`, { appointmentDate })).status).toBe(200)
    await waitForJobs(app.services.pool, list, (found) => found[0]?.appointmentDate === appointmentDate)
    await waitForJobs(app.services.pool, list, ([newest]) => newest?.status === 'sent')
    expect((await answer(phone, 'C')).text).toContain('is confirmed')
    expect((await list())[0]).toMatchObject({ status: 'confirmed', appointmentDate })
  })

  it('is answered although another is over, was cancelled, was asked by email or is of another patient', async () => {
    const { client, phone, patientId, sent, list } = await newAskedPatient(20, 21, 22)
    const [over, cancelled, waiting] = sent
    const bookAt = async (hour: number, of: string) => {
      const appointmentDate = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + hour * 3_600_000).toISOString()
      const booking = { patientId: of, appointmentDate, type: 'consultation', allowOverlap: true }
      expect((await client.post('/api/appointments', booking)).status).toBe(201)
    }
    const waitForSent = (count: number) =>
      waitForJobs(app.services.pool, list, (found) => found.filter(({ status }) => status === 'sent').length === count)
    const other = { firstName: 'Ada', lastName: 'Other', phone: `+1617555${String(1_000 + ++people)}` }
    await bookAt(20, (await client.post('/api/patients', other)).body.id as string)
    await waitForSent(4)
    const config = { reminderType: 'email', reminderTiming: '24h', autoReschedule: false }
    expect((await client.post('/api/appointment-confirmations/config', config)).status).toBe(200)
    await client.patch(`/api/patients/${patientId}`, { email: `patient-${people}@example.test` })
    await bookAt(23, patientId)
    await waitForSent(5)
    await client.patch(`/api/appointments/${cancelled?.appointmentId}`, { status: 'cancelled' })
    await app.services.pool.query(
      `update read.confirmations set starts_at = now() - interval '1 minute' where id = $1`,
      [over?.id],
    )
    expect((await answer(phone, 'C')).text).toContain('is confirmed')
    const confirmed = (await list()).filter(({ status }) => status === 'confirmed')
    expect(confirmed.map(({ id }) => id)).toEqual([waiting?.id])
  })

  it('is mailed to the owner of a number who wants no texts, until they do', async () => {
    const { client, phone, patientId, list } = await newAskedPatient(20)
    expect((await answer(phone, 'STOP')).status).toBe(200)
    const email = `patient-${people}@example.test`
    expect((await client.patch(`/api/patients/${patientId}`, { email })).status).toBe(200)
    const bookAt = async (hour: number) => {
      const appointmentDate = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + hour * 3_600_000).toISOString()
      const booking = { patientId, appointmentDate, type: 'consultation', allowOverlap: true }
      expect((await client.post('/api/appointments', booking)).status).toBe(201)
    }
    const waitForChannels = (...channels: string[]) =>
      waitForJobs(
        app.services.pool,
        list,
        (found) =>
          found.every(({ status }) => status === 'sent') &&
          JSON.stringify(found.map(({ reminderType }) => reminderType)) === JSON.stringify(channels),
      )
    await bookAt(21)
    await waitForChannels('email', 'sms')
    expect((await answer(phone, 'Start')).status).toBe(200)
    await bookAt(22)
    await waitForChannels('sms', 'email', 'sms')
  })

  it('is mailed when the vendor says that the owner wants no texts', async () => {
    const { client, phone, patientId, list } = await newAskedPatient(20)
    const email = `patient-${people}@example.test`
    expect((await client.patch(`/api/patients/${patientId}`, { email })).status).toBe(200)
    refusedNumber = phone
    const [asked] = await list()
    expect((await client.post(`/api/appointment-confirmations/${asked?.id}/resend`, {})).status).toBe(200)
    await waitForJobs(
      app.services.pool,
      list,
      (found) => found.length === 1 && found[0]?.reminderType === 'email' && found[0].status === 'sent',
    )
    refusedNumber = ''
  })

  it('is left alone by the words that end texts, and by numbers of which nothing was asked', async () => {
    const { phone, list, listNoted } = await newAskedPatient(20)
    const none = '<?xml version="1.0" encoding="UTF-8"?><Response/>'
    expect(await answer(phone, 'STOP')).toEqual({ status: 200, text: none })
    expect((await answer('+16175559999', 'C')).text).toContain('No appointment waits for your answer.')
    expect(await list()).toMatchObject([{ status: 'sent' }])
    expect(await listNoted()).toEqual([])
  })

  it('failed when the vendor says that it did not arrive, and not before', async () => {
    const { sent, list } = await newAskedPatient(20)
    const path = `/api/twilio/status?key=${sent[0]?.id}-1`
    const report = (MessageStatus: string, on = path) => call(on, { MessageSid: 'SM1', MessageStatus })
    expect((await report('delivered')).status).toBe(204)
    expect(await list()).toMatchObject([{ status: 'sent' }])
    // Of another attempt.
    expect((await report('undelivered', `/api/twilio/status?key=${sent[0]?.id}-2`)).status).toBe(204)
    expect(await list()).toMatchObject([{ status: 'sent' }])
    expect((await report('undelivered')).status).toBe(204)
    expect(await list()).toMatchObject([{ status: 'failed', failure: 'refused' }])
    expect((await report('delivered')).status).toBe(204)
    expect((await report('undelivered', '/api/twilio/status?key=none')).status).toBe(204)
    expect(await list()).toMatchObject([{ status: 'failed' }])
  })
})

describe('a call', () => {
  it('is refused without the signature of the account', async () => {
    const { phone, list } = await newAskedPatient(20)
    const fields = { MessageSid: 'SM-x', From: phone, Body: 'C' }
    expect((await call('/api/twilio/messages', fields, 'another secret')).status).toBe(403)
    const unsigned = await fetch(`${app.url}/api/twilio/messages`, {
      method: 'POST',
      body: new URLSearchParams(fields),
    })
    expect(unsigned.status).toBe(403)
    expect((await call('/api/twilio/status?key=x', { MessageStatus: 'failed' }, 'another secret')).status).toBe(403)
    expect(await list()).toMatchObject([{ status: 'sent' }])
  })

  it('is refused when it is no call of a message, or too long', async () => {
    expect((await call('/api/twilio/messages', { Body: 'C' })).status).toBe(422)
    expect((await call('/api/twilio/status', {})).status).toBe(422)
    const long = await fetch(`${app.url}/api/twilio/messages`, {
      method: 'POST',
      body: new URLSearchParams({ Body: 'x'.repeat(70_000) }),
    })
    expect(long.status).toBeGreaterThanOrEqual(400)
    expect(long.status).toBeLessThan(500)
  })
})

it('reads single words, in English and Spanish', () => {
  for (const text of ['C', 'c.', 'Confirm', 'SÍ', 'si', 'Yes!', ' ok '])
    expect([text, readReply(text)]).toEqual([text, 'confirm'])
  for (const text of ['STOP', 'Stop all', 'cancel', 'UNSUBSCRIBE', 'Alto'])
    expect([text, readReply(text)]).toEqual([text, 'stop'])
  expect([readReply('Start'), readReply('HELP')]).toEqual(['resume', 'help'])
  for (const text of ['', 'no', 'c u later', 'yes but later', '👍', 'confirm?! not sure'])
    expect([text, readReply(text)]).toEqual([text, 'other'])
})
