import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Appointment } from '#contracts/appointments.ts'
import { toInstant } from '#contracts/values/calendar.ts'
import { joinPractice } from '#tests/support/members.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { newSchedulingPractice } from './scheduling-practice.ts'

describe('a search for appointments', () => {
  let app: TestApp
  let clinic: Awaited<ReturnType<typeof newSchedulingPractice>>
  let emergency: Appointment
  let cancelled: Appointment

  beforeAll(async () => {
    app = await startTestApp()
    app.stopClock()
    const noon = toInstant('2031-03-05', '12:00', 'America/New_York')
    app.advanceClock(Date.parse(noon) - app.services.clock().getTime())
    clinic = await newSchedulingPractice(app)
    const { client, book } = clinic
    const hopper = { firstName: 'Grace', lastName: 'Hopper', phone: '(617) 555-0123', dateOfBirth: '1980-02-03' }
    const patientId = (await client.post('/api/patients', hopper)).body.id
    await book('2031-02-03T09:00', { patientId, type: 'check-up' })
    await book('2031-03-04T09:00', { patientId, type: 'consultation' })
    await book('2031-03-06T09:00', { patientId, type: 'follow-up' })
    emergency = await book('2032-02-03T23:30', { patientId, type: 'emergency' })
    await book('2031-03-06T10:00', { type: 'follow-up' })
    cancelled = await book('2031-03-07T10:00', { patientId, type: 'procedure' })
    await client.delete(`/api/appointments/${cancelled.id}`)
  })
  afterAll(() => app.dispose())

  async function find(search: string, more = '', { client } = clinic): Promise<string[]> {
    const answer = await client.get(`/api/appointments/search?search=${encodeURIComponent(search)}${more}`)
    if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
    return (answer.body as Appointment[]).map(
      ({ patient, localDate, localTime }) => `${patient.lastName} ${localDate} ${localTime}`,
    )
  }

  const later = 'Hopper 2032-02-03 23:30'
  const next = 'Hopper 2031-03-06 09:00'
  const last = 'Hopper 2031-03-04 09:00'
  const first = 'Hopper 2031-02-03 09:00'
  const liu = 'Liu 2031-03-06 10:00'

  it('finds the next appointments of a name that very many patients share', async () => {
    const shared = await newSchedulingPractice(app)
    const ids: string[] = []
    for (let n = 0; n < 60; n++) {
      const { body } = await shared.client.post('/api/patients', {
        firstName: `Ann ${String(n).padStart(2, '0')}`,
        lastName: 'Smith',
      })
      ids.push(body.id as string)
    }
    for (const [n, time] of ['2031-03-06T09:00', '2031-03-07T09:00', '2031-03-04T09:00'].entries())
      await shared.book(time, { patientId: ids[57 + n] })
    // In the order of names, the next one is beyond the patients that are considered whenever their appointments are.
    await shared.book('2035-03-06T09:00', { patientId: ids[0] })
    const [soon, second, over, far] = ['2031-03-06', '2031-03-07', '2031-03-04', '2035-03-06'].map(
      (date) => `Smith ${date} 09:00`,
    )
    expect(await find('smith', '', shared)).toEqual([soon, second, far, over])
    expect(await find('smith tomorrow', '', shared)).toEqual([soon])
    expect(await find('smith march 7', '', shared)).toEqual([second])
    expect(await find('smith yesterday', '', shared)).toEqual([over])
    expect(await find('liu tomorrow', '', shared)).toEqual([])
  })

  it.each([
    ['hopper', [next, later, last, first]],
    ['hoper', [next, later, last, first]],
    ['617 555', [next, later, last, first]],
    ['grace', [next, liu, later, last, first]],
    ['hopper follow-up', [next]],
    ['follow', [next, liu]],
    ['Feb 3', [later, first]],
    ['2/3', [later, first]],
    ['Feb 3, 2031', [first]],
    ['2032-02-03', [later]],
    ['tomorrow', [next, liu]],
    ['liu tomorrow', [liu]],
    ['yesterday consultation', [last]],
    // A date is the day of an appointment, never a date of birth.
    ['Feb 3, 1980', []],
    ['procedure', []],
    ['xylophone', []],
    ['%', []],
    ['', []],
    ["' or 1=1 --", []],
  ])('by %s', async (search, expected) => {
    expect(await find(search)).toEqual(expected)
  })

  it('by the id that the screens show, of the appointment or its patient', async () => {
    const { id, patientId } = emergency
    expect(await find(id.slice(0, 8))).toEqual([later])
    expect(await find(id)).toEqual([later])
    expect(await find(patientId.slice(0, 8))).toEqual([next, later, last, first])
    expect(await find(cancelled.id.slice(0, 8))).toEqual([])
  })

  it('returns the nearest ones up to the limit', async () => {
    expect(await find('hopper', '&limit=3')).toEqual([next, later, last])
    const { client } = clinic
    expect(await client.get('/api/appointments/search?search=a&limit=51')).toMatchObject({
      status: 422,
      problem: { errors: [{ path: 'limit', message: 'From 1 to 50' }] },
    })
  })

  it('stays within the practice', async () => {
    const stranger = await newSchedulingPractice(app)
    expect(await find('hopper', '', stranger)).toEqual([])
    expect(await find(emergency.id, '', stranger)).toEqual([])
    expect(await find('tomorrow', '', stranger)).toEqual([])
  })

  it('requires permission to schedule', async () => {
    const nurse = await joinPractice(app, clinic.practice.id, 'nurse')
    expect(await nurse.get('/api/appointments/search?search=hopper')).toMatchObject({ status: 200 })
    expect(await app.newClient().get('/api/appointments/search?search=hopper')).toMatchObject({ status: 401 })
  })
})
