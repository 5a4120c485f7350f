import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Appointment } from '#contracts/appointments.ts'
import type { WaitlistEntry } from '#contracts/waitlist.ts'
import { addDays, toLocalDate } from '#contracts/values/calendar.ts'
import { BookingConcern } from '#contracts/values/appointments.ts'
import { PatientId, WaitlistEntryId } from '#contracts/values/ids.ts'
import { waitlistDecider } from '#modules/waitlist/decider.ts'
import { removeEntriesOfRemovedPatient } from '#modules/waitlist/jobs.ts'
import { withRefusedAppends } from '#tests/support/refused-appends.ts'
import { interruptRequests } from '#tests/support/interrupt-requests.ts'
import type { Client } from '#tests/support/client.ts'
import { newMember } from '#tests/support/members.ts'
import { practiceDetails } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { newSchedulingPractice } from '#tests/modules/appointments/scheduling-practice.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

async function newWaitlist() {
  const fixture = await newSchedulingPractice(app)
  const addPatient = async (lastName: string, over: object = {}) => {
    const patient = await fixture.client.post('/api/patients', { firstName: 'Wai', lastName })
    const body = { patientId: patient.body.id as string, type: 'check-up', ...over }
    const answer = await fixture.client.post('/api/waitlist', body)
    if (answer.status !== 201) throw new Error(`addPatient: ${answer.status} ${answer.problem.message}`)
    return answer.body as WaitlistEntry
  }
  const names = (entries: WaitlistEntry[]) => entries.map(({ patient }) => patient.lastName)
  const listNames = async () => names((await fixture.client.get('/api/waitlist')).body as WaitlistEntry[])
  const listCandidates = async (start: string, more = '') => {
    const path = `/api/waitlist/candidates?providerId=${fixture.provider.id}&start=${start}${more}`
    return names((await fixture.client.get(path)).body as WaitlistEntry[])
  }
  return { ...fixture, addPatient, listNames, listCandidates }
}

it('lists entries, longest wait first, until they are removed', async () => {
  const { client, addPatient, listNames } = await newWaitlist()
  const first = await addPatient('First', { notes: 'Mornings', latest: '2031-12-24' })
  expect(first).toMatchObject({ patient: { firstName: 'Wai', lastName: 'First' }, notes: 'Mornings', duration: 30 })
  await addPatient('Second')
  expect(await listNames()).toEqual(['First', 'Second'])
  expect((await client.delete(`/api/waitlist/${first.id}`)).status).toBe(204)
  expect((await client.delete(`/api/waitlist/${first.id}`)).status).toBe(404)
  expect(await listNames()).toEqual(['Second'])
})

it('removes an entry with a request that is repeated because its reply was lost', async () => {
  const { client, addPatient } = await newWaitlist()
  const { id } = await addPatient('Lost')
  const remove = (key: string) => client.request('DELETE', `/api/waitlist/${id}`, undefined, { 'idempotency-key': key })
  expect((await remove('first')).status).toBe(204)
  // As if the process had ended before it recorded the result.
  await interruptRequests(app.services.pool)
  expect((await remove('first')).status).toBe(204)
  expect((await remove('second')).status).toBe(404)
})

describe.each([
  { name: 'a booking', written: 'AppointmentBooked', isMove: false },
  { name: 'a move', written: 'AppointmentRescheduled', isMove: true },
])('$name that is repeated', ({ written, isMove }) => {
  /** Returns an entry, and a function that sends the same request with the same idempotency key each time. */
  async function newRequest(appointmentDate = '2031-03-03T09:00') {
    const { client, patientId, book, listAppointments } = await newWaitlist()
    const later = isMove ? await book('2031-03-10T09:00') : null
    const body = { patientId, type: 'consultation', ...(later && { appointmentId: later.id }) }
    const { id: waitlistEntryId } = (await client.post('/api/waitlist', body)).body as WaitlistEntry
    const headers = { 'idempotency-key': randomUUID() }
    const start = { appointmentDate, waitlistEntryId, confirmed: BookingConcern.options }
    const send = () =>
      later
        ? client.request('PATCH', `/api/appointments/${later.id}`, start, headers)
        : client.request('POST', '/api/appointments', { ...start, patientId, type: 'consultation' }, headers)
    return {
      send,
      /** On a slow machine, jobs may already have completed the first attempt and removed the entry. */
      removeEntry: async () =>
        expect([204, 404]).toContain((await client.delete(`/api/waitlist/${waitlistEntryId}`)).status),
      listDay: () => listAppointments('2031-03-03T00:00:00Z', '2031-03-05T00:00:00Z'),
    }
  }
  /** Leaves the state in which a process ends before it records the result. */
  const interrupt = () => interruptRequests(app.services.pool)

  it('is refused when another user removed the entry and the first attempt wrote nothing', async () => {
    const { send, removeEntry, listDay } = await newRequest()
    await removeEntry()
    expect((await send()).status).toBe(404)
    await interrupt()
    expect((await send()).status).toBe(404)
    expect(await listDay()).toEqual([])
  })

  it('succeeds when the first attempt did everything', async () => {
    const { send, listDay } = await newRequest()
    const first = await send()
    await interrupt()
    const repeated = await send()
    expect([repeated.status, repeated.body.id]).toEqual([first.status, first.body.id])
    expect(await listDay()).toMatchObject([{ id: first.body.id }])
  })

  it('is completed when the first attempt has reserved the slot, although the entry was removed since', async () => {
    // Past midnight, which is reserved before it is booked.
    const { send, removeEntry, listDay } = await newRequest('2031-03-03T23:45')
    await withRefusedAppends(app.databaseUrl, written, async () =>
      expect((await send()).status).toBeGreaterThanOrEqual(500),
    )
    await removeEntry()
    await interrupt()
    const { status, body } = await send()
    expect(status).toBe(isMove ? 200 : 201)
    expect(await listDay()).toMatchObject([{ id: body.id }])
  })
})

it('lists the three entries that fit a free slot best', async () => {
  const { provider, addPatient, listCandidates } = await newWaitlist()
  await addPatient('Any')
  await addPatient('TooLong', { duration: 60 })
  await addPatient('TooLate', { earliest: '2031-04-01' })
  await addPatient('OverBefore', { latest: '2031-03-02' })
  await addPatient('SameProvider', { providerId: provider.id })
  await addPatient('Later')
  await addPatient('Urgent', { type: 'emergency' })
  expect(await listCandidates('2031-03-03T09:00')).toEqual(['Urgent', 'SameProvider', 'Any'])
  expect(await listCandidates('2031-03-03T09:00', '&duration=60')).toEqual(['Urgent', 'SameProvider', 'Any'])
  expect(await listCandidates('2031-03-03T09:00', '&duration=15')).toEqual([])
})

describe('a change of an entry', () => {
  it('keeps the place, and what it does not name', async () => {
    const { client, addPatient, listNames, provider } = await newWaitlist()
    const first = await addPatient('First', { notes: 'Mornings', latest: '2031-12-24' })
    await addPatient('Second')
    const change = { providerId: provider.id, type: 'follow-up', earliest: '2031-12-01', notes: ' Afternoons ' }
    const changed = await client.patch(`/api/waitlist/${first.id}`, change)
    const expected = { ...first, ...change, notes: 'Afternoons' }
    expect(changed).toMatchObject({ status: 200, body: expected })
    expect((await client.patch(`/api/waitlist/${first.id}`, {})).body).toEqual(expected)
    expect(await listNames()).toEqual(['First', 'Second'])
    expect((await client.get('/api/waitlist')).body[0]).toEqual(expected)
  })

  it('is refused with the field named, and in another practice', async () => {
    const { client, addPatient, listNames } = await newWaitlist()
    const { id } = await addPatient('First', { latest: '2031-12-24' })
    const reversed = await client.patch(`/api/waitlist/${id}`, { earliest: '2031-12-25' })
    expect(reversed).toMatchObject({ status: 409, problem: { code: 'days-reversed', errors: [{ path: 'latest' }] } })
    expect(await client.patch(`/api/waitlist/${id}`, { duration: 0 })).toMatchObject({
      status: 422,
      problem: { errors: [{ path: 'duration' }] },
    })
    const other = await newWaitlist()
    expect((await other.client.patch(`/api/waitlist/${id}`, { notes: 'Theirs' })).status).toBe(404)
    const theirs = await other.book('2031-03-10T09:00')
    for (const foreign of [{ providerId: other.provider.id }, { appointmentId: theirs.id }])
      expect((await client.patch(`/api/waitlist/${id}`, foreign)).status).toBe(404)
    await client.delete(`/api/waitlist/${id}`)
    expect((await client.patch(`/api/waitlist/${id}`, { notes: 'Late' })).status).toBe(404)
    expect(await listNames()).toEqual([])
  })
})

describe('an entry of a patient who wants an appointment earlier', () => {
  const own = async () => {
    const waitlist = await newWaitlist()
    const appointment = await waitlist.book('2031-03-10T09:00')
    const body = { patientId: waitlist.patientId, type: 'consultation', appointmentId: appointment.id }
    const entry = (await waitlist.client.post('/api/waitlist', body)).body as WaitlistEntry
    const find = async () => ((await waitlist.client.get('/api/waitlist')).body as WaitlistEntry[])[0]
    const setStatus = (status: string) => waitlist.client.patch(`/api/appointments/${appointment.id}`, { status })
    return { ...waitlist, appointment, entry, find, setStatus }
  }

  it('says when the appointment is, also after it was moved', async () => {
    const { client, appointment, entry, find } = await own()
    const { id: appointmentId, appointmentDate } = appointment
    expect(entry).toMatchObject({ appointmentId, appointmentDate, isOver: false })
    expect(await find()).toEqual(entry)
    const to = { appointmentDate: '2031-03-11T10:00', confirmed: BookingConcern.options }
    const moved = (await client.patch(`/api/appointments/${appointmentId}`, to)).body as Appointment
    expect(await find()).toEqual({ ...entry, appointmentDate: moved.appointmentDate })
  })

  it('waits for any slot once the appointment is cancelled', async () => {
    const { setStatus, entry, find, listCandidates } = await own()
    expect(await listCandidates('2031-03-11T09:00')).toEqual([])
    await setStatus('cancelled')
    expect(await find()).toEqual({ ...entry, appointmentId: null, appointmentDate: null })
    expect(await listCandidates('2031-03-11T09:00')).toEqual(['Liu'])
  })

  it.each(['waiting', 'completed', 'no-show'])('is over once the appointment is %s', async (status) => {
    const { setStatus, find, listCandidates } = await own()
    await setStatus(status)
    expect(await find()).toMatchObject({ isOver: true })
    expect(await listCandidates('2031-03-03T09:00')).toEqual([])
  })

  it('is refused for an appointment that is cancelled or has begun', async () => {
    const { client, patientId, setStatus, appointment, book, entry } = await own()
    const past = await book('2025-03-10T09:00')
    await setStatus('cancelled')
    for (const appointmentId of [past.id, appointment.id]) {
      const refused = { status: 409, problem: { code: 'appointment-not-open', errors: [{ path: 'appointmentId' }] } }
      const body = { patientId, type: 'consultation', appointmentId }
      expect(await client.post('/api/waitlist', body)).toMatchObject(refused)
      expect(await client.patch(`/api/waitlist/${entry.id}`, { appointmentId })).toMatchObject(refused)
    }
  })
})

it('is over once its last day is over', async () => {
  const { client, addPatient } = await newWaitlist()
  const today = toLocalDate(new Date(), practiceDetails.timezone)
  await addPatient('Over', { latest: addDays(today, -1) })
  await addPatient('Open', { latest: addDays(today, 1) })
  const entries = (await client.get('/api/waitlist')).body as WaitlistEntry[]
  expect(entries.map(({ isOver }) => isOver)).toEqual([true, false])
})

it('leaves out patients with an earlier appointment, and moves a later one', async () => {
  const { client, patientId, book, listNames, listCandidates } = await newWaitlist()
  const later = await book('2031-03-10T09:00')
  const body = { patientId, type: 'consultation', appointmentId: later.id }
  const entry = (await client.post('/api/waitlist', body)).body as WaitlistEntry
  expect(await listCandidates('2031-03-11T09:00')).toEqual([])
  expect(await listCandidates('2031-03-03T09:00')).toEqual(['Liu'])
  const change = { appointmentDate: '2031-03-03T09:00', waitlistEntryId: entry.id }
  expect((await client.patch(`/api/appointments/${later.id}`, change)).body).toMatchObject({ localDate: '2031-03-03' })
  expect(await listNames()).toEqual([])
})

it('leaves out patients who have died, and takes none of them on', async () => {
  const { client, addPatient, listNames, listCandidates } = await newWaitlist()
  const entry = await addPatient('Died')
  await addPatient('Lives')
  await client.patch(`/api/patients/${entry.patientId}`, { deceasedOn: '2026-01-05' })
  expect(await listCandidates('2031-03-03T09:00')).toEqual(['Lives'])
  expect(await listNames()).toEqual(['Died', 'Lives'])
  expect((await client.get('/api/waitlist')).body).toMatchObject([
    { id: entry.id, patientDeceased: true },
    { patientDeceased: false },
  ])
  const refused = { status: 409, problem: { code: 'patient-deceased' } }
  expect(await client.post('/api/waitlist', { patientId: entry.patientId, type: 'check-up' })).toMatchObject(refused)
  expect(await client.post(`/api/waitlist/${entry.id}/return`)).toMatchObject(refused)
})

it('removes the entry with the booking', async () => {
  const { addPatient, listNames, book, tryBooking } = await newWaitlist()
  const entry = await addPatient('First')
  const other = await addPatient('Second')
  expect((await tryBooking('2031-03-03T09:00', { waitlistEntryId: entry.id })).status).toBe(404)
  await book('2031-03-03T09:00', { patientId: entry.patientId, waitlistEntryId: entry.id })
  expect(await listNames()).toEqual(['Second'])
  const taken = { patientId: other.patientId, waitlistEntryId: other.id }
  expect((await tryBooking('2031-03-03T09:00', taken)).status).toBe(409)
  expect(await listNames()).toEqual(['Second'])
})

it('removes an entry that was added while its patient was removed', async () => {
  const { client, practice, addPatient, listNames } = await newWaitlist()
  const { bus, newId } = app.services
  await addPatient('Stays')
  const patient = await client.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper' })
  const patientId = PatientId.parse(patient.body.id)
  expect((await client.delete(`/api/patients/${patientId}`)).status).toBe(204)
  // The request found the patient a moment before the removal.
  const waitlistEntryId = WaitlistEntryId.parse(newId())
  const wishes = { type: 'check-up', duration: 30, earliest: null, latest: null, notes: null } as const
  const ids = { waitlistEntryId, practiceId: practice.id, patientId, providerId: null, appointmentId: null }
  const id = newId()
  const context = { practiceId: practice.id, actor: { kind: 'process', name: 'test' }, correlationId: id } as const
  await bus.execute(waitlistDecider, waitlistEntryId, { type: 'Add', entry: { ...ids, ...wishes } }, context)

  const cause = { correlationId: id, causationId: id }
  const run = { id, attempt: 1, signal: new AbortController().signal }
  await removeEntriesOfRemovedPatient.added.run(app.services, { cause, practiceId: practice.id, patientId }, run)
  expect((await bus.load(waitlistDecider, waitlistEntryId)).state.status).toBe('removed')
  expect(await listNames()).toEqual(['Stays'])
})

it('books an entry once for many concurrent requests', async () => {
  const { addPatient, listNames, tryBooking } = await newWaitlist()
  const { id: waitlistEntryId, patientId } = await addPatient('Wanted')
  const times = ['09:00', '09:30', '10:00', '14:00']
  const answers = await Promise.all(
    times.map((time) => tryBooking(`2031-03-03T${time}`, { patientId, waitlistEntryId })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
  expect(await listNames()).toEqual([])
})

it('refuses a patient, provider or appointment of another practice', async () => {
  const [one, other] = [await newWaitlist(), await newWaitlist()]
  const appointment = await other.book('2031-03-03T09:00')
  for (const foreign of [
    { patientId: other.patientId },
    { patientId: one.patientId, providerId: other.provider.id },
    { patientId: one.patientId, appointmentId: appointment.id },
  ])
    expect((await one.client.post('/api/waitlist', { type: 'check-up', ...foreign })).status).toBe(404)
  const entry = await other.addPatient('Other')
  expect((await one.client.delete(`/api/waitlist/${entry.id}`)).status).toBe(404)
  expect(
    (await one.client.get(`/api/waitlist/candidates?providerId=${other.provider.id}&start=2031-03-03T09:00`)).status,
  ).toBe(404)
})

describe('an entry for which an appointment was booked', () => {
  it('is refused to the second who books, who learns by whom and for when', async () => {
    const { client, practice, provider, addPatient } = await newWaitlist()
    const first = await newMember(app, practice.id, 'nurse')
    const { id, patientId } = await addPatient('First')
    const body = { patientId, waitlistEntryId: id, type: 'check-up', providerId: provider.id }
    const more = { confirmed: BookingConcern.options }
    const send = (who: Client, time: string) =>
      who.post('/api/appointments', { ...body, ...more, appointmentDate: `2031-03-03T${time}` })
    expect((await send(first.client, '10:00')).status).toBe(201)
    const second = await send(client, '11:00')
    expect([second.status, second.problem.code]).toEqual([409, 'waitlist-booked'])
    expect(second.problem.message).toMatch(/^Already booked by .+ for 2031-03-03 at 10:00\.$/)
    const both = await addPatient('Both')
    const answers = await Promise.all(
      ['13:00', '14:00'].map((time) =>
        client.post('/api/appointments', {
          ...body,
          ...more,
          patientId: both.patientId,
          waitlistEntryId: both.id,
          appointmentDate: `2031-03-03T${time}`,
        }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
  })

  it('returns to its place after the cancellation, once, and only then', async () => {
    const { client, provider, addPatient, listNames } = await newWaitlist()
    const first = await addPatient('First', { notes: 'Mornings' })
    await addPatient('Second')
    const booked = await client.post('/api/appointments', {
      patientId: first.patientId,
      waitlistEntryId: first.id,
      type: 'check-up',
      providerId: provider.id,
      appointmentDate: '2031-03-03T10:00',
      confirmed: BookingConcern.options,
    })
    expect(await listNames()).toEqual(['Second'])
    const findEntry = async () => {
      const { status, body } = await client.get(`/api/waitlist/booked?appointmentId=${booked.body.id}`)
      return status === 204 ? null : (body as WaitlistEntry)
    }
    expect(await findEntry()).toEqual(first)
    const bringBack = () => client.post(`/api/waitlist/${first.id}/return`)
    expect(await bringBack()).toMatchObject({ status: 409, problem: { code: 'still-booked' } })
    await client.patch(`/api/appointments/${booked.body.id}`, { status: 'cancelled' })
    expect(await bringBack()).toMatchObject({ status: 200, body: first })
    expect(await listNames()).toEqual(['First', 'Second'])
    expect(await findEntry()).toBeNull()
    expect((await bringBack()).status).toBe(200)
    expect(await listNames()).toEqual(['First', 'Second'])
    await client.delete(`/api/waitlist/${first.id}`)
    expect((await bringBack()).status).toBe(404)
    const other = await newSchedulingPractice(app)
    expect((await other.client.post(`/api/waitlist/${first.id}/return`)).status).toBe(404)
    expect((await other.client.get(`/api/waitlist/booked?appointmentId=${booked.body.id}`)).status).toBe(204)
  })
})
