import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Confirmation, ConfirmationDetails } from '#contracts/confirmations.ts'
import { newSubscriber, subscribe } from '#tests/support/billing.ts'
import type { Client } from '#tests/support/client.ts'
import { waitForJobs } from '#tests/support/job-delays.ts'
import { waitForMessages } from '#tests/support/outbox.ts'
import { joinPractice } from '#tests/support/members.ts'
import { readStream } from '#tests/support/events.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

const hourMs = 3_600_000
const inHours = (hours: number) => new Date(Math.ceil(Date.now() / 60_000) * 60_000 + hours * hourMs).toISOString()

const path = '/api/appointment-confirmations'
const list = async (client: Client) => (await client.get(path)).body as Confirmation[]

/** Waits until the practice's confirmations have these statuses, in any order. */
const waitForStatuses = async (client: Client, ...statuses: string[]) =>
  await waitForJobs(
    app.services.pool,
    () => list(client),
    (found) => JSON.stringify(found.map(({ status }) => status).toSorted()) === JSON.stringify(statuses.toSorted()),
  )

let people = 0

/** A practice with a plan, and a way to book patients. */
async function newPractice() {
  const { client, practice } = await newSubscriber(app, 'starter')
  const book = async (startsAt: string, contact: object = {}) => {
    const email = `patient-${++people}@example.test`
    const patient = await client.post('/api/patients', { firstName: 'Grace', lastName: 'Liu', email, ...contact })
    const booked = await client.post('/api/appointments', {
      patientId: patient.body.id,
      appointmentDate: startsAt,
      type: 'consultation',
      allowOverlap: true,
    })
    expect(booked.status).toBe(201)
    return { email, appointment: booked.body as { id: string; revision: number }, patientId: patient.body.id as string }
  }
  const configure = (over: object) =>
    client.post(`${path}/config`, { reminderType: 'email', reminderTiming: '24h', autoReschedule: false, ...over })
  const getAppointment = async (id: string) => (await client.get(`/api/appointments/${id}`)).body
  return { client, practice, book, configure, getAppointment }
}

const findLink = (messages: readonly string[]) => /\/confirm\/[\w.-]+/.exec(messages.at(-1) ?? '')?.[0] ?? 'none'

/** Presses a button of a page without a session. */
const press = (link: string, answer: string) =>
  fetch(`${app.url}${link}`, { method: 'POST', body: new URLSearchParams({ answer }), redirect: 'manual' })
const open = async (link: string) => {
  const reply = await fetch(`${app.url}${link}`)
  return { status: reply.status, text: await reply.text() }
}

describe('an appointment of tomorrow', () => {
  it('is asked about by email, and confirmed by the link', async () => {
    const { client, book, getAppointment } = await newPractice()
    const { email, appointment } = await book(inHours(20))
    const [confirmation] = await waitForStatuses(client, 'sent')
    expect(confirmation).toMatchObject({
      appointmentId: appointment.id,
      patientName: 'Grace Liu',
      reminderType: 'email',
      email,
      delivery: 'outbox',
      attempts: 1,
      confirmedAt: null,
    })
    const [message = ''] = await waitForMessages(app, email, 1)
    expect(message).toContain('Your appointment at Harbor Clinic is on')
    expect(message).not.toMatch(/Grace|Liu|consultation/i)
    const link = findLink([message])
    const page = await open(link)
    expect(page).toMatchObject({ status: 200 })
    expect(page.text).toContain('Will you come to your appointment?')
    expect(page.text).not.toMatch(/Grace|Liu|consultation/i)
    // Opening the page changes nothing.
    expect((await list(client))[0]).toMatchObject({ status: 'sent' })
    expect(await (await press(link, 'confirm')).text()).toContain('Your appointment is confirmed')
    expect(await getAppointment(appointment.id)).toMatchObject({ status: 'confirmed' })
    const [answered] = await waitForStatuses(client, 'confirmed')
    expect(answered?.confirmedAt).toEqual(expect.any(String))
    const calendar = await open(`${link}/appointment.ics`)
    expect(calendar.text).toContain('SUMMARY:Appointment at Harbor Clinic')
    const details = (await client.get(`${path}/${confirmation?.id}`)).body as ConfirmationDetails
    expect(details.history.map(({ what }) => what)).toEqual(['planned', 'sent', 'confirmed'])
    expect(details.answerUrl).toContain(link)
    expect((await client.get(`${path}/counts`)).body).toMatchObject({ total: 1, confirmed: 1, pending: 0 })
  })

  it('is cancelled when its patient declines, also after confirming, and the link then says so', async () => {
    const { client, book, getAppointment } = await newPractice()
    const { email, appointment } = await book(inHours(20))
    await waitForStatuses(client, 'sent')
    const link = findLink(await waitForMessages(app, email, 1))
    await press(link, 'confirm')
    const declined = await (await press(link, 'decline')).text()
    expect(declined).toContain('Your appointment is cancelled')
    expect(await getAppointment(appointment.id)).toMatchObject({ status: 'cancelled' })
    expect((await press(link, 'confirm')).status).toBe(410)
    expect((await open(link)).text).toContain('Your appointment is cancelled')
    await waitForStatuses(client, 'declined')
    const bell = (await client.get('/api/notifications')).body as { items: { kind: string }[] }
    expect(bell.items.find(({ kind }) => kind === 'confirmation-declined')).toMatchObject({
      appointmentId: appointment.id,
      patient: { firstName: 'Grace', lastName: 'Liu' },
    })
  })

  it('is asked about in the language of the practice, on a page in that of the device', async () => {
    const { client, book, configure } = await newPractice()
    expect((await configure({ language: 'fr' })).problem.errors).toMatchObject([{ path: 'language' }])
    expect((await configure({ language: 'es' })).body).toMatchObject({ language: 'es' })
    // Another change keeps it.
    expect((await configure({ customMessage: 'Traiga su tarjeta.' })).body).toMatchObject({ language: 'es' })
    const { email } = await book(inHours(20))
    await waitForStatuses(client, 'sent')
    const [message = ''] = await waitForMessages(app, email, 1)
    expect(message).toContain('Su cita en Harbor Clinic es el')
    const link = findLink([message])
    const openIn = async (language: string) => {
      const reply = await fetch(`${app.url}${link}`, { headers: { 'accept-language': language } })
      return await reply.text()
    }
    const [spanish, english] = ['¿Vendrá usted a su cita?', 'Will you come to your appointment?']
    expect(await openIn('')).toContain(spanish)
    expect(await openIn('es-MX,es;q=0.9,en;q=0.8')).toContain('<html lang="es">')
    expect(await openIn('en-US,en;q=0.9')).toContain(english)
    expect(await openIn('fr-CA')).toContain(spanish)
    expect((await open(`${link.slice(0, -1)}`)).status).toBe(404)
    const reply = await fetch(`${app.url}${link}`, {
      method: 'POST',
      headers: { 'accept-language': 'es' },
      body: new URLSearchParams({ answer: 'confirm' }),
    })
    expect(await reply.text()).toContain('Su cita está confirmada')
  })

  it('moves to one of three free times, where the practice offers them', async () => {
    const { client, book, configure, getAppointment } = await newPractice()
    await configure({ autoReschedule: true })
    const { email, appointment } = await book(inHours(20))
    await waitForStatuses(client, 'sent')
    const link = findLink(await waitForMessages(app, email, 1))
    const offer = await (await press(link, 'other')).text()
    const times = [...offer.matchAll(/value="(\d{4}[^"]+Z)"/g)].flatMap(([, time]) => time ?? [])
    expect(times).toHaveLength(3)
    // A time that was not offered.
    expect(await (await press(link, '2031-01-06T14:00:00.000Z')).text()).toContain('was taken in the meantime')
    const moved = await (await press(link, times[1] ?? '')).text()
    expect(moved).toContain('Your appointment was moved')
    expect(await getAppointment(appointment.id)).toMatchObject({ status: 'confirmed', appointmentDate: times[1] })
    // The slot was released in the same append (docs/decisions/0046).
    const history = await readStream(app.services.store, `appointment-${appointment.id}`)
    expect(history.find(({ type }) => type === 'AppointmentRescheduled')?.data).toMatchObject({ isReleased: true })
    expect(await open(link)).toMatchObject({ status: 410 })
  })

  it('keeps the times that a patient chooses from for ten minutes, and offers them to no one else', async () => {
    const { client, book, configure } = await newPractice()
    await configure({ autoReschedule: true })
    const booked = [await book(inHours(20)), await book(inHours(20)), await book(inHours(20))]
    await waitForStatuses(client, 'sent', 'sent', 'sent')
    const links: string[] = []
    for (const { email } of booked) links.push(findLink(await waitForMessages(app, email, 1)))
    const readTimes = async (link: string) =>
      [...(await (await press(link, 'other')).text()).matchAll(/value="(\d{4}[^"]+Z)"/g)].flatMap(
        ([, time]) => time ?? [],
      )
    // Three patients press the button in the same moment.
    const offered = await Promise.all(links.map(readTimes))
    const starts = offered.flat().map((time) => Date.parse(time))
    expect(offered.map((times) => times.length)).toEqual([3, 3, 3])
    const [first = [], second = [], third = []] = offered
    const overlaps = (one: readonly string[], other: readonly string[]) =>
      one.some((a) => other.some((b) => Math.abs(Date.parse(a) - Date.parse(b)) < 30 * 60_000))
    expect([overlaps(first, second), overlaps(second, third), overlaps(first, third)]).toEqual([false, false, false])
    expect(await readTimes(links[0] ?? '')).toEqual(first)

    const search = async () => (await client.get('/api/appointments/free-slots?limit=20')).body as { start: string }[]
    const free = (await search()).map(({ start }) => start)
    expect(overlaps(free, offered.flat())).toBe(false)
    expect(Math.min(...free.map((time) => Date.parse(time)))).toBeLessThan(Math.max(...starts) + 14 * 86_400_000)

    // The desk comes first: the patient learns it, and is offered another time.
    const taken = await client.post('/api/appointments', {
      patientId: booked[0]?.patientId,
      appointmentDate: first[0],
      type: 'consultation',
    })
    expect(taken.status).toBe(201)
    expect(await (await press(links[0] ?? '', first[0] ?? '')).text()).toContain('was taken in the meantime')
    expect(await (await press(links[1] ?? '', second[2] ?? '')).text()).toContain('Your appointment was moved')
    // The time that was chosen is an appointment; the others are free again.
    const freed = (await search()).map(({ start }) => start)
    expect([freed.includes(second[0] ?? ''), freed.includes(second[2] ?? ''), freed.includes(third[0] ?? '')]).toEqual([
      true,
      false,
      false,
    ])
    await app.services.pool.query(`update app.held_slots set held_until = held_until - interval '10 minutes'`)
    expect((await search()).map(({ start }) => start)).toContain(third[0])
  })

  it('offers no other times where the practice does not', async () => {
    const { client, book } = await newPractice()
    const { email } = await book(inHours(20))
    await waitForStatuses(client, 'sent')
    const link = findLink(await waitForMessages(app, email, 1))
    const page = await (await press(link, 'other')).text()
    expect(page).toContain('Will you come to your appointment?')
  })

  it('is asked about by both ways, and fails where there is no address', async () => {
    const { client, book, configure } = await newPractice()
    await configure({ reminderType: 'both', customMessage: 'Please bring your card.' })
    const { patientId } = await book(inHours(20), { email: null, phone: '(617) 555-0142' })
    const found = await waitForStatuses(client, 'sent', 'failed')
    expect(found.find(({ status }) => status === 'sent')).toMatchObject({
      reminderType: 'sms',
      phoneNumber: '(617) 555-0142',
    })
    const failed = found.find(({ status }) => status === 'failed')
    expect(failed).toMatchObject({ reminderType: 'email', failure: 'no-address' })
    const [text = ''] = await waitForMessages(app, '+16175550142', 1)
    expect(text).toContain('Harbor Clinic: your appointment is on')
    expect(text).toContain('Please bring your card.')
    // With an address it can be sent again.
    const late = `late-${people}@example.test`
    const patient = (await client.get(`/api/patients/${patientId}`)).body
    await client.patch(`/api/patients/${patientId}`, { email: late, revision: patient.revision })
    const resent = await client.post(`${path}/${failed?.id}/resend`, {})
    expect(resent).toMatchObject({ status: 200 })
    await waitForMessages(app, late, 1)
    const again = await waitForStatuses(client, 'sent', 'sent')
    expect(again.find(({ id }) => id === failed?.id)).toMatchObject({ attempts: 2, failure: null })
  })
})

describe('a question without an answer', () => {
  it('is closed when its appointment moves or is cancelled, also the one for its new time', async () => {
    const { client, book } = await newPractice()
    const asked = inHours(20)
    const { appointment } = await book(asked)
    await waitForStatuses(client, 'sent')
    const appointmentDate = inHours(21)
    await client.patch(`/api/appointments/${appointment.id}`, { appointmentDate, revision: appointment.revision })
    const [after, before] = await waitForStatuses(client, 'sent', 'sent')
    expect(before).toMatchObject({ closed: 'moved', appointmentDate: asked })
    expect(after).toMatchObject({ closed: null, appointmentDate })
    await client.delete(`/api/appointments/${appointment.id}`)
    await waitUntil(
      () => list(client),
      (found) => found[0]?.closed === 'cancelled',
    )
    const { body } = await client.get(`${path}/${after?.id}`)
    expect(body.history.map(({ what }: { what: string }) => what)).toEqual(['planned', 'sent', 'appointment-cancelled'])
    expect((await client.post(`${path}/${after?.id}/resend`, {})).body).toMatchObject({ code: 'appointment-over' })
  })
})

describe('an appointment of next month', () => {
  const nextMonth = inHours(30 * 24)

  it('is planned, planned again when the settings change, and not asked about once it is cancelled', async () => {
    const { client, book, configure } = await newPractice()
    const { appointment } = await book(nextMonth)
    const [planned] = await waitForStatuses(client, 'pending')
    const scheduledFor = (days: number) => Date.parse(nextMonth) - days * 24 * hourMs
    // An hour more or less, where the clock changes in between.
    const isAbout = (found: string, expected: number) => Math.abs(Date.parse(found) - expected) <= hourMs
    expect(isAbout(planned?.scheduledFor ?? '', scheduledFor(1))).toBe(true)
    await configure({ reminderType: 'sms', reminderTiming: '72h' })
    const [other] = await waitUntil(
      () => list(client),
      (found) => found.length === 1 && found[0]?.reminderType === 'sms',
    )
    expect(isAbout(other?.scheduledFor ?? '', scheduledFor(3))).toBe(true)
    expect((await client.post(`${path}/${other?.id}/resend`, {})).body).toMatchObject({ code: 'not-resendable' })
    await client.delete(`/api/appointments/${appointment.id}`)
    await waitForStatuses(client)
  })

  it('is not asked about while the practice has switched it off, and is planned again when it is on', async () => {
    const { client, book } = await newPractice()
    await book(nextMonth)
    await waitForStatuses(client, 'pending')
    const switchTo = (isOn: boolean) => client.patch('/api/automation/switches', { automation: 'confirmations', isOn })
    expect((await switchTo(false)).status).toBe(200)
    await waitForStatuses(client)
    expect((await switchTo(true)).status).toBe(200)
    await waitForStatuses(client, 'pending')
  })

  it('is planned for its new time when it moves', async () => {
    const { client, book } = await newPractice()
    const { appointment } = await book(nextMonth)
    const [before] = await waitForStatuses(client, 'pending')
    const later = inHours(31 * 24)
    await client.patch(`/api/appointments/${appointment.id}`, {
      appointmentDate: later,
      revision: appointment.revision,
    })
    const [after] = await waitUntil(
      () => list(client),
      (found) => found.length === 1 && found[0]?.id !== before?.id,
    )
    expect(after).toMatchObject({ status: 'pending', appointmentDate: later })
  })
})

it('lists the questions by page, latest appointment first, of one status or appointment, without removed patients', async () => {
  const { client, book } = await newPractice()
  const asked = await book(inHours(20))
  const [later, latest] = [await book(inHours(24 * 8)), await book(inHours(24 * 9))]
  await waitForStatuses(client, 'sent', 'pending', 'pending')
  const read = async (url: string) => {
    const { body, headers } = await client.get(url)
    const ids = (body as Confirmation[]).map(({ appointmentId }) => appointmentId)
    const next = /<(.*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null
    return { ids, total: headers.get('x-total-count'), next }
  }
  const inOrder = [latest, later, asked].map(({ appointment }) => appointment.id)
  expect(await read(path)).toEqual({ ids: inOrder, total: '3', next: null })
  expect(await read(`${path}?status=pending`)).toEqual({ ids: inOrder.slice(0, 2), total: '2', next: null })
  const ofOne = await read(`${path}?appointmentId=${later.appointment.id}`)
  expect(ofOne).toEqual({ ids: [later.appointment.id], total: '1', next: null })
  const ids: string[] = []
  for (let next: string | null = `${path}?limit=1`; next !== null;) {
    const page: Awaited<ReturnType<typeof read>> = await read(next)
    expect(page).toMatchObject({ ids: [expect.any(String)], total: '3' })
    ids.push(...page.ids)
    next = page.next
  }
  expect(ids).toEqual(inOrder)
  await client.delete(`/api/patients/${asked.patientId}`)
  await waitUntil(
    () => list(client),
    (found) => found.length === 2,
  )
})

it('a demo practice asks no patients, until its plan opens', async () => {
  const { client } = await newOwner(app)
  const patient = await client.post('/api/patients', { firstName: 'Grace', lastName: 'Liu', email: 'g@example.test' })
  const appointmentDate = inHours(24 * 20)
  await client.post('/api/appointments', { patientId: patient.body.id, appointmentDate, type: 'check-up' })
  expect(await list(client)).toEqual([])
  await subscribe(client, 'starter')
  await waitForStatuses(client, 'pending')
})

describe('access', () => {
  it('keeps practices apart, and lets only users with the permission change the settings', async () => {
    const { client, book, practice } = await newPractice()
    await book(inHours(30 * 24))
    const [confirmation] = await waitForStatuses(client, 'pending')
    const other = await newPractice()
    expect(await list(other.client)).toEqual([])
    expect(await other.client.get(`${path}/${confirmation?.id}`)).toMatchObject({ status: 404 })
    expect(await other.client.post(`${path}/${confirmation?.id}/resend`, {})).toMatchObject({ status: 404 })
    const staff = await joinPractice(app, practice.id, 'staff')
    expect((await staff.get(path)).body).toHaveLength(1)
    const config = { reminderType: 'sms', reminderTiming: '24h', autoReschedule: false }
    expect(await staff.post(`${path}/config`, config)).toMatchObject({ status: 403 })
  })

  it.each(['none', 'a.b', `018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0095.${'0'.repeat(32)}`])(
    'a link with the token %s is not valid',
    async (token) => {
      expect((await open(`/confirm/${token}`)).status).toBe(404)
      expect((await press(`/confirm/${token}`, 'confirm')).status).toBe(404)
    },
  )

  it.each([
    [{ reminderType: 'fax' }, 'reminderType'],
    [{ reminderTiming: '5h' }, 'reminderTiming'],
    [{ autoReschedule: 'yes' }, 'autoReschedule'],
    [{ customMessage: 'x'.repeat(301) }, 'customMessage'],
  ])('refuses the settings %j', async (over, field) => {
    const { configure } = await newPractice()
    const refused = await configure(over)
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: field }] } })
  })
})
