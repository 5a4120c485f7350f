import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SlotOffer } from '#contracts/confirmations.ts'
import { newSubscriber } from '#tests/support/billing.ts'
import type { Client } from '#tests/support/client.ts'
import { readStream } from '#tests/support/events.ts'
import { waitForMessages } from '#tests/support/outbox.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { itLong } from '#tests/support/long.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

const list = async (client: Client) => (await client.get('/api/slot-offers')).body as SlotOffer[]

/** Waits until the practice has these offers, latest first; `jobs` run at once instead of at their time. */
const waitForOffers = (client: Client, statuses: readonly string[], jobs: readonly string[] = ['offer-freed-slot']) =>
  waitUntil(
    async () => {
      await app.services.pool.query(
        `update jobs.job set start_after = now() where state in ('created', 'retry') and name = any($1)`,
        [jobs],
      )
      return await list(client)
    },
    (offers) => JSON.stringify(offers.map(({ status }) => status)) === JSON.stringify(statuses),
  )

let people = 0

/** A practice that offers freed slots, with a booked appointment in a few days. */
async function newPractice(offerFreedSlots = true) {
  const { client, practice } = await newSubscriber(app, 'starter')
  const config = { reminderType: 'email', reminderTiming: '24h', autoReschedule: false, offerFreedSlots }
  expect((await client.post('/api/appointment-confirmations/config', config)).body).toMatchObject({ offerFreedSlots })
  const addPatient = async (contact: object = {}) => {
    const email = `waiting-${++people}@example.test`
    const added = await client.post('/api/patients', {
      firstName: 'Ada',
      lastName: `Okafor${people}`,
      email,
      ...contact,
    })
    return { id: added.body.id as string, email }
  }
  const { id: patientId } = await addPatient()
  const [provider] = (await client.get('/api/providers')).body as { id: string }[]
  const from = new Date(Date.now() + 3 * 86_400_000).toISOString()
  const free = await client.get(
    `/api/appointments/free-slots?from=${from}&duration=30&days=10&providerId=${provider?.id}`,
  )
  const [slot, laterSlot] = free.body as { start: string }[]
  const book = async (appointmentDate: string | undefined, of = patientId) => {
    const body = { patientId: of, appointmentDate, type: 'consultation', duration: 30 }
    const booked = await client.post('/api/appointments', body)
    expect(booked.status).toBe(201)
    return booked.body as { id: string; appointmentDate: string }
  }
  const wait = async (of: { id: string }, over: object = {}) => {
    const body = { patientId: of.id, type: 'follow-up', duration: 30, ...over }
    const added = await client.post('/api/waitlist', body)
    expect(added.status).toBe(201)
    return added.body as { id: string }
  }
  const cancel = (id: string) => client.delete(`/api/appointments/${id}`)
  return { client, practice, addPatient, book, wait, cancel, slot, laterSlot }
}

const receiveLink = async (email: string) => {
  const [message = ''] = await waitForMessages(app, email, 1)
  return { message, link: /\/offer\/[\w.-]+/.exec(message)?.[0] ?? 'none' }
}
const press = async (link: string, answer: string) => {
  const reply = await fetch(`${app.url}${link}`, { method: 'POST', body: new URLSearchParams({ answer }) })
  return { status: reply.status, text: await reply.text() }
}
const open = async (link: string) => await (await fetch(`${app.url}${link}`)).text()

describe('a slot that becomes free', () => {
  it('is offered to patients on the waitlist, longest wait first, until one takes it', async () => {
    const { client, addPatient, book, wait, cancel, slot, laterSlot } = await newPractice()
    const [first, second, neighbor] = [await addPatient(), await addPatient(), await addPatient()]
    // On most days it ends when the other begins.
    await book(slot?.start, neighbor.id)
    const appointment = await book(laterSlot?.start)
    await wait(first)
    const entry = await wait(second)
    expect((await cancel(appointment.id)).status).toBe(204)
    const [offer] = await waitForOffers(client, ['sent'])
    expect(offer).toMatchObject({
      patientId: first.id,
      startsAt: appointment.appointmentDate,
      duration: 30,
      channel: 'email',
      delivery: 'outbox',
    })
    const { message, link } = await receiveLink(first.email)
    expect(offer?.answerUrl).toContain(link)
    expect(message).toContain('a time is free on')
    expect(`${message}${await open(link)}`).not.toMatch(/\b(Ada|Okafor|follow-up)/)
    expect(await open(link)).toContain('Would you like to come at this time?')
    // Opening the page changes nothing.
    expect(await list(client)).toMatchObject([{ status: 'sent' }])

    expect((await press(link, 'decline')).text).toContain('offered to another patient')
    await waitForOffers(client, ['sent', 'declined'])
    const { link: other } = await receiveLink(second.email)
    expect((await press(other, 'accept')).text).toContain('Your appointment is booked')
    // A second press changes nothing.
    expect((await press(other, 'accept')).text).toContain('Your appointment is booked')
    const [accepted] = await list(client)
    const booked = await client.get(`/api/appointments/${accepted?.appointmentId}`)
    expect(booked.body).toMatchObject({
      patientId: second.id,
      appointmentDate: appointment.appointmentDate,
      type: 'follow-up',
      status: 'confirmed',
    })
    const day = `schedule-${booked.body.providerId}-${booked.body.localDate}`
    expect((await readStream(app.services.store, day)).at(-1)?.data).toMatchObject({ isConfirmed: true })
    const waiting = (await client.get('/api/waitlist')).body as { id: string }[]
    expect(waiting.map(({ id }) => id)).not.toContain(entry.id)
    expect(waiting).toHaveLength(1)
    const bell = (await client.get('/api/notifications')).body as { items: { kind: string }[] }
    expect(bell.items.find(({ kind }) => kind === 'offer-accepted')).toMatchObject({
      appointmentId: accepted?.appointmentId,
      patient: { firstName: 'Ada' },
      localDate: booked.body.localDate,
    })
    // The first patient changes their mind too late.
    expect((await press(link, 'accept')).text).toContain('offered to another patient')
    expect(await list(client)).toMatchObject([{ status: 'accepted' }, { status: 'declined' }])
  })

  it('moves the later appointment of a patient who wanted an earlier one', async () => {
    const { client, addPatient, book, wait, cancel, slot, laterSlot } = await newPractice()
    const appointment = await book(slot?.start)
    const patient = await addPatient()
    const own = await book(laterSlot?.start, patient.id)
    await wait(patient, { appointmentId: own.id })
    await cancel(appointment.id)
    await waitForOffers(client, ['sent'])
    const { link } = await receiveLink(patient.email)
    expect((await press(link, 'accept')).text).toContain('Your appointment is booked')
    expect((await client.get(`/api/appointments/${own.id}`)).body).toMatchObject({
      appointmentDate: appointment.appointmentDate,
      status: 'confirmed',
    })
    const history = await readStream(app.services.store, `appointment-${own.id}`)
    expect(history.find(({ type }) => type === 'AppointmentRescheduled')?.data).toMatchObject({ isReleased: true })
    // The slot that this patient left has no other candidate.
    expect(await list(client)).toMatchObject([{ status: 'accepted', appointmentId: own.id }])
  })

  it('is not free any more when a colleague books it first, and the offer says so', async () => {
    const { client, addPatient, book, wait, cancel, slot } = await newPractice()
    const appointment = await book(slot?.start)
    const patient = await addPatient()
    await wait(patient)
    await cancel(appointment.id)
    await waitForOffers(client, ['sent'])
    const { link } = await receiveLink(patient.email)
    await book(slot?.start)
    expect(await open(link)).toContain('This time is not free any more')
    expect((await press(link, 'accept')).text).toContain('This time is not free any more')
    expect((await client.get('/api/waitlist')).body).toHaveLength(1)
  })

  it('goes to the next patient when the time to answer is over', async () => {
    const { client, addPatient, book, wait, cancel, slot } = await newPractice()
    const appointment = await book(slot?.start)
    const [first, second] = [await addPatient(), await addPatient()]
    await wait(first)
    await wait(second)
    await cancel(appointment.id)
    await waitForOffers(client, ['sent'])
    const offers = await waitForOffers(
      client,
      ['sent', 'withdrawn'],
      ['expire-slot-offer', 'offer-slot-to-next-patient'],
    )
    expect(offers).toMatchObject([{ patientId: second.id }, { patientId: first.id, reason: 'expired' }])
  })

  itLong(
    'is offered to no one whom it does not suit, or who cannot be reached, or where the practice does not want it',
    async () => {
      const { client, addPatient, book, wait, cancel, slot } = await newPractice()
      const appointment = await book(slot?.start)
      const unreachable = await addPatient({ email: null })
      await wait(unreachable)
      await wait(await addPatient(), { duration: 60 })
      const suitable = await addPatient()
      await wait(suitable)
      await cancel(appointment.id)
      expect(await waitForOffers(client, ['sent'])).toMatchObject([{ patientId: suitable.id }])

      const other = await newPractice(false)
      const booked = await other.book(other.slot?.start)
      await other.wait(await other.addPatient())
      await other.cancel(booked.id)
      await waitUntil(
        async () => {
          await app.services.pool.query(`update jobs.job set start_after = now() where name = 'offer-freed-slot'`)
          return await app.services.pool.query(
            `select from jobs.job where name = 'offer-freed-slot' and state <> 'completed'`,
          )
        },
        ({ rowCount }) => rowCount === 0,
      )
      expect(await list(other.client)).toEqual([])
    },
  )
})

describe('the page of an offer', () => {
  it('refuses links that were not signed here, and answers that it has no button for', async () => {
    const { client, addPatient, book, wait, cancel, slot } = await newPractice()
    const appointment = await book(slot?.start)
    const patient = await addPatient()
    await wait(patient)
    await cancel(appointment.id)
    await waitForOffers(client, ['sent'])
    const { link } = await receiveLink(patient.email)
    expect((await fetch(`${app.url}${link.slice(0, -1)}`)).status).toBe(404)
    expect((await fetch(`${app.url}${link.replace('/offer/', '/confirm/')}`)).status).toBe(404)
    expect((await press(link, 'steal')).status).toBe(422)
    expect(await list(client)).toMatchObject([{ status: 'sent' }])
    // Offers are the practice's own.
    expect(await list((await newSubscriber(app, 'starter')).client)).toEqual([])
    expect((await client.get('/api/slot-offers?cursor=nonsense')).status).toBe(422)
    const { client: demo } = await newOwner(app)
    expect((await demo.get('/api/slot-offers')).body).toEqual([])
  })
})
