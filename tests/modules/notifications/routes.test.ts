import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { notificationPageSize } from '#contracts/notifications.ts'
import { addDays, toLocalDateTime } from '#contracts/values/calendar.ts'
import { findFreedSlots } from '#modules/notifications/freed-slots.ts'
import { findReleasedSlots } from '#modules/notifications/queries.ts'
import { getReadStreamId } from '#modules/notifications/decider.ts'
import { UserId } from '#contracts/values/ids.ts'
import { subscribe, waitForSubscriptionStatus, waitForUserSubscription } from '#tests/support/billing.ts'
import { readStream } from '#tests/support/events.ts'
import { openEventStream } from '#tests/support/event-stream.ts'
import { inviteTo, joinPractice, newMember } from '#tests/support/members.ts'
import { newOwner, newUser } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { itLong } from '#tests/support/long.ts'
import { listNotifications, newNotifiedPractice, startAtNine, zone } from './notified-practice.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  startAtNine(app)
})
afterAll(() => app.dispose())

const kindsOf = ({ items }: Awaited<ReturnType<typeof listNotifications>>) => items.map(({ kind }) => kind)

describe('what happened to records', () => {
  const phq9 = Object.fromEntries(Array.from({ length: 9 }, (_, item) => [`phq9-${item + 1}`, item === 8 ? 1 : 0]))

  it('is shown with its record to users with the permission, and not to the user who did it', async () => {
    const { client, nurse, practice, patientId } = await newNotifiedPractice(app)
    await subscribe(client, 'starter')
    const staff = await newMember(app, practice.id, 'staff')
    const body = { patientId, formType: 'assessment', title: 'PHQ-9', formData: phq9 }
    const form = await nurse.client.post('/api/forms', body)
    expect((await nurse.client.get(`/api/forms/${form.body.id}/analysis`)).status).toBe(200)
    const verification = await staff.client.post('/api/insurance/verify', {
      patientId,
      insuranceProvider: 'Summit Mutual',
      policyNumber: 'SM-7741-0093',
      verificationStatus: 'denied',
    })
    expect(verification.status).toBe(201)

    const named = { patient: { firstName: 'Grace', lastName: 'Liu' } }
    const denied = { kind: 'coverage-denied', verificationId: verification.body.id, ...named }
    const formOf = { formId: form.body.id, formType: 'assessment', ...named }
    const all = await listNotifications(client)
    const joined = { kind: 'member-joined' }
    const [urgent, handedIn] = [
      { kind: 'form-urgent', ...formOf },
      { kind: 'form-submitted', ...formOf },
    ]
    expect(all.items).toMatchObject([denied, urgent, handedIn, joined])
    expect((await listNotifications(staff.client)).items).toMatchObject([{ kind: 'form-submitted' }])
    // Found by the analysis, not by the nurse, who may not see coverages.
    expect(kindsOf(await listNotifications(nurse.client))).toEqual(['form-urgent'])

    await client.patch('/api/notifications/preferences', { choices: { aiAlerts: false, insuranceUpdates: false } })
    expect(kindsOf(await listNotifications(client))).toEqual(['form-submitted', 'member-joined'])
    await client.patch('/api/notifications/preferences', { choices: { aiAlerts: true, formSubmissions: false } })
    expect(kindsOf(await listNotifications(client))).toEqual(['form-urgent', 'member-joined'])
    await client.patch('/api/notifications/preferences', { choices: { formSubmissions: true } })
    expect((await client.patch(`/api/forms/${form.body.id}`, { status: 'reviewed' })).status).toBe(200)
    expect(kindsOf(await listNotifications(client))).toEqual(['member-joined'])
  })

  it('is not shown any more when the patient is removed', async () => {
    const { client, nurse, patientId } = await newNotifiedPractice(app)
    const form = await nurse.client.post('/api/forms', {
      patientId,
      formType: 'assessment',
      title: 'PHQ-9',
      formData: phq9,
    })
    expect((await nurse.client.get(`/api/forms/${form.body.id}/analysis`)).status).toBe(200)
    expect(await listNotifications(client)).toMatchObject({ unread: 2 })
    expect((await client.delete(`/api/patients/${patientId}`)).status).toBe(204)
    expect(await listNotifications(client)).toMatchObject({ items: [], unread: 0 })
  })
})

describe('what happened to appointments', () => {
  it('today is shown to colleagues, with the record, and not to the user who did it', async () => {
    const { client, nurse, today, book, cancel } = await newNotifiedPractice(app)
    const emergency = await book('14:00', 0, { type: 'emergency' })
    const cancelled = await book('15:00')
    await cancel(cancelled.id)
    const moved = await book('16:00')
    const appointmentDate = `${today()}T17:00`
    expect((await nurse.client.patch(`/api/appointments/${moved.id}`, { appointmentDate })).status).toBe(200)

    const list = await listNotifications(client)
    const patient = { firstName: 'Grace', lastName: 'Liu' }
    const common = { isRead: false, patient, localDate: today() }
    expect(list).toMatchObject({
      unread: 3,
      next: null,
      items: [
        {
          kind: 'appointment-moved',
          appointmentId: moved.id,
          localTime: '16:00',
          movedTo: { localDate: today(), localTime: '17:00' },
          ...common,
        },
        { kind: 'appointment-cancelled', appointmentId: cancelled.id, localTime: '15:00', ...common },
        { kind: 'emergency-booked', appointmentId: emergency.id, localTime: '14:00', ...common },
      ],
    })
    expect(await listNotifications(nurse.client)).toEqual({ items: [], unread: 0, next: null })
  })

  itLong('before a person joined is not shown, also to one whose account is older', async () => {
    const person = await newUser(app)
    const { practice, book } = await newNotifiedPractice(app)
    await book('14:00', 0, { type: 'emergency' })
    const token = await inviteTo(practice.id, person.registration.email, 'doctor')
    expect((await person.client.post(`/api/invitations/${token}/accept`, {})).status).toBe(201)
    expect(await listNotifications(person.client)).toEqual({ items: [], unread: 0, next: null })
    const later = await book('15:00', 0, { type: 'emergency' })
    expect(await listNotifications(person.client)).toMatchObject({ unread: 1, items: [{ appointmentId: later.id }] })
  })

  it('on another day or in the past is not shown', async () => {
    const { client, book, cancel } = await newNotifiedPractice(app)
    await book('14:00', 3, { type: 'emergency' })
    for (const [time, days] of [
      ['15:00', 3],
      ['08:00', 0],
    ] as const)
      await cancel((await book(time, days)).id)
    expect(await listNotifications(client)).toEqual({ items: [], unread: 0, next: null })
  })

  itLong('frees no slot on a holiday, or on a day off of the provider', async () => {
    const { client, patientId, provider, today, book, cancel } = await newNotifiedPractice(app)
    await client.post('/api/waitlist', { patientId, type: 'check-up', duration: 30 })
    for (const days of [2, 3, 4]) await cancel((await book('10:00', days)).id)
    const close = async (days: number, more: object) => {
      const date = addDays(today(), days)
      return (await client.post('/api/closures', { from: date, until: date, ...more })).body.id as string
    }
    expect(await listNotifications(client)).toMatchObject({ unread: 3 })
    const holidayId = await close(2, { name: 'Spring day' })
    await close(3, { providerId: provider.id })
    expect(await listNotifications(client)).toMatchObject({ unread: 1, items: [{ localDate: addDays(today(), 4) }] })
    expect((await client.delete(`/api/closures/${holidayId}`)).status).toBe(204)
    expect(await listNotifications(client)).toMatchObject({ unread: 2 })
  })

  it('frees a slot for a patient on the waitlist, until it is taken or the patient no longer waits', async () => {
    const { client, patientId, provider, today, book, cancel } = await newNotifiedPractice(app)
    const [first, second, third] = [await book('10:00', 2), await book('11:00', 2), await book('12:00', 3)]
    await cancel(first.id)
    const waiting = await client.post('/api/waitlist', { patientId, type: 'check-up', duration: 30 })
    expect(waiting.status).toBe(201)
    // When the first one was cancelled, the patient was not on the waitlist yet.
    expect(kindsOf(await listNotifications(client))).toEqual([])
    await cancel(second.id)
    await cancel(third.id)
    const list = await listNotifications(client)
    expect(list).toMatchObject({
      unread: 2,
      items: [
        { kind: 'slot-freed', localTime: '12:00' },
        { kind: 'slot-freed', localTime: '11:00', duration: 30, provider: provider.name, candidates: 1 },
      ],
    })
    expect(list.items[1]).toMatchObject({ localDate: expect.not.stringContaining(today()) })
    await book('11:00', 2)
    expect(await listNotifications(client)).toMatchObject({ unread: 1, items: [{ localTime: '12:00' }] })
    await client.delete(`/api/waitlist/${waiting.body.id}`)
    expect(await listNotifications(client)).toEqual({ items: [], unread: 0, next: null })
  })

  it('on another day is shown as one free slot, however often it was released', async () => {
    const { client, patientId, book, cancel } = await newNotifiedPractice(app)
    for (const type of ['check-up', 'consultation'])
      expect((await client.post('/api/waitlist', { patientId, type, duration: 30 })).status).toBe(201)
    await cancel((await book('11:00', 2)).id)
    await cancel((await book('11:00', 2)).id)
    // Both entries are of the same patient.
    expect(await listNotifications(client)).toMatchObject({ unread: 1, items: [{ kind: 'slot-freed', candidates: 1 }] })
  })

  it('frees no slot of a provider who left', async () => {
    const { client, patientId, book, cancel } = await newNotifiedPractice(app)
    await client.post('/api/waitlist', { patientId, type: 'check-up', duration: 30 })
    const added = await client.post('/api/providers', { name: 'Dr. Gone' })
    expect(added.status).toBe(201)
    const providerId = added.body.id as string
    await cancel((await book('11:00', 2, { providerId })).id)
    expect(await listNotifications(client)).toMatchObject({ unread: 1, items: [{ provider: 'Dr. Gone' }] })
    expect((await client.patch(`/api/providers/${providerId}`, { active: false })).status).toBe(200)
    expect(await listNotifications(client)).toEqual({ items: [], unread: 0, next: null })
  })

  it('takes as many queries for many free slots as for one', async () => {
    const { client, practice, provider, patientId, book, cancel } = await newNotifiedPractice(app)
    await client.post('/api/waitlist', { patientId, type: 'check-up', duration: 30 })
    await cancel((await book('11:00', 2)).id)
    const { pool, clock } = app.services
    await pool.query(
      `insert into read.notifications (key, id, practice_id, kind, at, provider_id, starts_at, duration)
       select 'slot ' || n, gen_random_uuid(), $1, 'appointment-cancelled', $2, $3,
         $2::timestamptz + interval '3 days' + make_interval(mins => n * 5), 30 from generate_series(1, 300) as n`,
      [practice.id, new Date(clock().getTime() + 1_000), provider.id],
    )
    const { db } = app.services
    const reader = { userId: practice.id, practiceId: practice.id, zone, since: '2026-01-01T00:00:00.000Z' }
    const released = await findReleasedSlots(db, reader, clock())
    expect(released).toHaveLength(301)
    let queries = 0
    const counting = new Proxy(db, {
      get: (target, name) => {
        if (name === 'any' || name === 'anyFirst') queries++
        return Reflect.get(target, name) as unknown
      },
    })
    const freed = await findFreedSlots(counting, { practiceId: practice.id, includeSamples: true }, zone, released)
    expect(freed.size).toBe(301)
    expect(queries).toBeLessThan(10)
  })

  itLong('stays known when the appointment is changed again', async () => {
    const { client, nurse, today, book, cancel } = await newNotifiedPractice(app)
    const moveTo = async (id: string, appointmentDate: string) =>
      expect((await nurse.client.patch(`/api/appointments/${id}`, { appointmentDate })).status).toBe(200)
    const [twice, cancelled] = [await book('14:00'), await book('15:00')]
    const { date } = toLocalDateTime(new Date(app.services.clock().getTime() + 72 * 3_600_000), zone)
    await moveTo(twice.id, `${date}T10:00`)
    await moveTo(twice.id, `${date}T12:00`)
    await moveTo(cancelled.id, `${date}T14:00`)
    await cancel(cancelled.id)
    expect(await listNotifications(client)).toMatchObject({
      unread: 2,
      items: [
        { kind: 'appointment-moved', localDate: today(), localTime: '15:00' },
        { kind: 'appointment-moved', localDate: today(), localTime: '14:00' },
      ],
    })
  })

  it('is no emergency any more once its type was changed', async () => {
    const { client, nurse, book } = await newNotifiedPractice(app)
    const { id } = await book('14:00', 0, { type: 'emergency' })
    expect(await listNotifications(client)).toMatchObject({ unread: 1 })
    expect((await nurse.client.patch(`/api/appointments/${id}`, { type: 'check-up' })).status).toBe(200)
    expect(await listNotifications(client)).toMatchObject({ unread: 0 })
  })

  itLong(
    'that becomes an emergency on its day is shown to colleagues, also when it moves at the same time',
    async () => {
      const { client, nurse, today, book } = await newNotifiedPractice(app)
      const [stays, moves, later] = [await book('14:00'), await book('15:00'), await book('16:00', 3)]
      const change = async (id: string, more: object = {}) =>
        expect((await nurse.client.patch(`/api/appointments/${id}`, { type: 'emergency', ...more })).status).toBe(200)
      await change(stays.id)
      await change(later.id)
      expect(await listNotifications(client)).toMatchObject({
        unread: 1,
        items: [{ kind: 'emergency-booked', appointmentId: stays.id, localDate: today(), localTime: '14:00' }],
      })
      await change(moves.id, { appointmentDate: `${today()}T17:00` })
      const { items } = await listNotifications(client)
      expect(items).toContainEqual(
        expect.objectContaining({ kind: 'emergency-booked', appointmentId: moves.id, localTime: '17:00' }),
      )
      expect(await listNotifications(nurse.client)).toMatchObject({ unread: 0 })
    },
  )

  it('is stored without a name', async () => {
    const { book, cancel } = await newNotifiedPractice(app)
    await cancel((await book('15:00', 0, { reason: 'Chest pain' })).id)
    const { rows } = await app.services.pool.query('select * from read.notifications')
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toMatch(/Grace|Liu|Chest/)
  })
})

describe('the list', () => {
  itLong('has pages, newest first, and counts all of them', async () => {
    const { client, book } = await newNotifiedPractice(app)
    const count = notificationPageSize + 3
    const ids: string[] = []
    for (let n = 0; n < count; n++) ids.unshift((await book(`14:${n + 10}`, 0, { type: 'emergency' })).id)
    const first = await listNotifications(client)
    expect([first.items.length, first.unread]).toEqual([notificationPageSize, count])
    const second = await listNotifications(client, `?before=${first.next}`)
    expect(second).toMatchObject({ unread: count, next: null })
    const listed = [...first.items, ...second.items].map((item) => 'appointmentId' in item && item.appointmentId)
    expect(listed).toEqual(ids)
  })

  const someId = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0190'
  it.each([
    '',
    'x',
    '2026-11-20',
    `2026-13-45T99:00:00.000Z_${someId}`,
    `2026-02-30T08:00:00.000Z_${someId}`,
    '2026-11-20T08:00:00.000Z_x',
  ])('refuses to begin at %j', async (before) => {
    const { client } = await newOwner(app)
    const reply = await client.get(`/api/notifications?before=${before}`)
    expect(reply).toMatchObject({
      status: 422,
      problem: { errors: [{ path: 'before', message: 'This is not the start of a page' }] },
    })
  })

  it('begins with the registration of a person, and ends after 90 days', async () => {
    const { client, practice, book } = await newNotifiedPractice(app)
    await book('14:00', 0, { type: 'emergency' })
    const newcomer = await joinPractice(app, practice.id, 'staff')
    expect(await listNotifications(newcomer)).toMatchObject({ items: [], unread: 0 })
    await book('15:00', 0, { type: 'emergency' })
    expect(await listNotifications(newcomer)).toMatchObject({ unread: 1 })
    const kinds = async () => (await listNotifications(client)).items.map(({ kind }) => kind)
    expect(await kinds()).toEqual(['emergency-booked', 'member-joined', 'emergency-booked'])
    const { pool } = app.services
    const setAge = (days: number) =>
      pool.query(
        `update read.notifications set at = $2::timestamptz - make_interval(days => $3),
           starts_at = $2::timestamptz - make_interval(days => $3) where practice_id = $1`,
        [practice.id, app.services.clock(), days],
      )
    await pool.query(`update read.users set joined_at = joined_at - interval '1 year' where practice_id = $1`, [
      practice.id,
    ])
    await setAge(89)
    expect(await kinds()).toContain('emergency-booked')
    await setAge(91)
    expect(await listNotifications(client)).toEqual({ items: [], unread: 0, next: null })
  })

  it('contains nothing of another practice', async () => {
    const [one, other] = [await newNotifiedPractice(app), await newNotifiedPractice(app)]
    await one.book('14:00', 0, { type: 'emergency' })
    expect(await listNotifications(one.client)).toMatchObject({ unread: 1 })
    expect(await listNotifications(other.client)).toEqual({ items: [], unread: 0, next: null })
  })
})

describe('reading', () => {
  it('is recorded per person, once, and survives further events', async () => {
    const {
      client,
      user,
      doctor: { client: colleague },
      book,
    } = await newNotifiedPractice(app)
    await book('14:00', 0, { type: 'emergency' })
    await book('15:00', 0, { type: 'emergency' })
    const [latest, earlier] = (await listNotifications(client)).items
    const read = (ids: unknown[]) => client.post('/api/notifications/read', { ids })
    expect(await read([earlier?.id])).toMatchObject({ status: 200, body: { unread: 1 } })
    // Again, as after a lost reply, and with one more.
    expect(await read([earlier?.id])).toMatchObject({ status: 200, body: { unread: 1 } })
    expect(await read([earlier?.id, latest?.id, latest?.id])).toMatchObject({ body: { unread: 0 } })
    expect((await listNotifications(client)).items).toMatchObject([{ isRead: true }, { isRead: true }])
    expect(await listNotifications(colleague)).toMatchObject({
      unread: 2,
      items: [{ isRead: false }, { isRead: false }],
    })
    const userId = UserId.parse(user.id)
    const stream = `notification-reads-${getReadStreamId(userId, app.services.clock())}`
    const events = await readStream(app.services.store, stream)
    expect(events.map(({ data }) => data['notificationIds'])).toEqual([[earlier?.id], [latest?.id]])
    await book('16:00', 0, { type: 'emergency' })
    expect(await listNotifications(client)).toMatchObject({ unread: 1 })
  })

  it('up to a notification includes all older ones, on every page, and no newer one', async () => {
    const { client, book } = await newNotifiedPractice(app)
    for (let n = 0; n < notificationPageSize + 2; n++) await book(`14:${n + 10}`, 0, { type: 'emergency' })
    const { items } = await listNotifications(client)
    const reply = await client.post('/api/notifications/read', { upTo: items[1]?.id })
    expect(reply).toMatchObject({ status: 200, body: { unread: 1 } })
    const after = await listNotifications(client)
    const rest = items.slice(1).map(() => true)
    expect([after.unread, after.items.map(({ isRead }) => isRead)]).toEqual([1, [false, ...rest]])
    expect((await client.post('/api/notifications/read', { upTo: items[1]?.id })).body).toEqual({ unread: 1 })
  })

  it('up to a notification covers 1,000, and says how many are left', async () => {
    const { client, practice } = await newOwner(app)
    const { pool, clock } = app.services
    await pool.query(
      `insert into read.notifications (key, id, practice_id, kind, at, amount_cents, currency)
       select 'payment ' || $1 || n, gen_random_uuid(), $1::uuid, 'payment-failed',
         $2::timestamptz + make_interval(secs => n), 12900, 'USD' from generate_series(1, 1002) as n`,
      [practice.id, clock()],
    )
    const { items } = await listNotifications(client)
    const markAll = async () => (await client.post('/api/notifications/read', { upTo: items[0]?.id })).body.unread
    expect(await markAll()).toBe(2)
    expect(await markAll()).toBe(0)
  })

  it('does not find what another practice, or the caller, cannot see', async () => {
    const [one, other] = [await newNotifiedPractice(app), await newNotifiedPractice(app)]
    await one.book('14:00', 0, { type: 'emergency' })
    const [item] = (await listNotifications(one.client)).items
    for (const client of [other.client, one.nurse.client])
      for (const body of [{ ids: [item?.id] }, { upTo: item?.id }, { ids: [randomUUID()] }, { upTo: randomUUID() }])
        expect(await client.post('/api/notifications/read', body)).toMatchObject({
          status: 404,
          problem: { code: 'not-found' },
        })
    expect(await listNotifications(one.client)).toMatchObject({ unread: 1 })
  })

  it.each([
    ['neither', {}, 'ids', 'Please send either ids or upTo'],
    ['both', { ids: [randomUUID()], upTo: randomUUID() }, 'ids', 'Please send either ids or upTo'],
    ['no ids', { ids: [] }, 'ids', 'Please name at least one notification'],
    ['too many ids', { ids: Array.from({ length: 101 }, () => randomUUID()) }, 'ids', 'At most 100 notifications'],
    ['another text', { ids: ['x'] }, 'ids.0', 'This is not a valid id'],
    ['a number', { upTo: 5 }, 'upTo', 'This is not a valid id'],
  ])('refuses %s', async (_, body, path, message) => {
    const { client } = await newOwner(app)
    const reply = await client.post('/api/notifications/read', body)
    expect(reply).toMatchObject({ status: 422, problem: { errors: [{ path, message }] } })
  })
})

describe('a role', () => {
  it('sees no payments and subscriptions without the permission for billing', async () => {
    const { client, practice } = await newOwner(app)
    const [staff, nurse, doctor] = [
      await joinPractice(app, practice.id, 'staff'),
      await joinPractice(app, practice.id, 'nurse'),
      await joinPractice(app, practice.id, 'doctor'),
    ]
    const administrator = await joinPractice(app, practice.id, 'administrator')
    // This card is accepted, but the first monthly payment fails.
    await subscribe(client, 'professional', { cardNumber: '4000 0000 0000 0341' })
    await client.post('/api/billing-sandbox/advance', { days: 31 })
    await waitForSubscriptionStatus(client, 'past_due')
    const failed = { kind: 'payment-failed', amount: { cents: 129_00, currency: 'USD' } }
    for (const reader of [administrator, staff])
      expect(
        await waitUntil(
          () => listNotifications(reader),
          ({ unread }) => unread > 0,
        ),
      ).toMatchObject({ unread: 1, items: [failed] })
    for (const reader of [nurse, doctor])
      expect(await listNotifications(reader)).toEqual({ items: [], unread: 0, next: null })
  })

  it('is notified of the end of the plan, until that is withdrawn', async () => {
    const { client, practice } = await newOwner(app)
    const nurse = await joinPractice(app, practice.id, 'nurse')
    const administrator = await joinPractice(app, practice.id, 'administrator')
    await subscribe(client)
    await client.post('/api/subscription/cancel')
    expect(await listNotifications(administrator)).toMatchObject({
      items: [{ kind: 'subscription-ending', endsAt: expect.any(String) }],
    })
    expect(await listNotifications(nurse)).toMatchObject({ items: [] })
    await client.post('/api/subscription/reactivate')
    expect(await listNotifications(administrator)).toMatchObject({ items: [] })
  })

  it('sees who accepted an invitation, with the permission for the team and not as the new member', async () => {
    const { client, practice } = await newOwner(app)
    const { client: nurse } = await newMember(app, practice.id, 'nurse', { isProvider: true })
    const joined = { kind: 'member-joined', name: 'Ada Okafor' }
    expect(await listNotifications(client)).toMatchObject({ unread: 1, items: [joined] })
    expect(await listNotifications(nurse)).toMatchObject({ unread: 0 })
    const { client: administrator, user } = await newMember(app, practice.id, 'administrator')
    expect(await listNotifications(administrator)).toMatchObject({ unread: 0 })
    expect(await listNotifications(client)).toMatchObject({ unread: 2, items: [joined, joined] })
    // Other changes to a member are not notified.
    await client.patch(`/api/team/${user.id}`, { role: 'staff', why: 'Less to do' })
    await client.patch(`/api/team/${user.id}`, { suspended: true, why: 'On leave' })
    expect(await listNotifications(client)).toMatchObject({ unread: 2 })
    expect(await listNotifications((await newOwner(app)).client)).toMatchObject({ unread: 0 })
  })

  it('is not notified of the end of a plan that can still be used', async () => {
    const { client, practice } = await newOwner(app)
    const { pool, clock } = app.services
    await pool.query(
      `insert into read.notifications (key, id, practice_id, kind, at)
       values ('subscription:' || $1, gen_random_uuid(), $1::uuid, 'subscription-canceled', $2)`,
      [practice.id, new Date(clock().getTime() + 1_000)],
    )
    // An unpaid checkout of a practice that never had a plan.
    expect(await listNotifications(client)).toMatchObject({ unread: 0, items: [] })
    await subscribe(client)
    await waitForUserSubscription(client, 'trial')
    const setEnd = async (end: Date) => {
      for (const table of ['subscriptions', 'practice_standing'])
        await pool.query(
          `update read.${table} set access_until = $2::timestamptz, last_update_at = $2::timestamptz - make_interval(hours => 1)
           where practice_id = $1`,
          [practice.id, end],
        )
    }
    await setEnd(new Date(clock().getTime() + 60_000))
    await pool.query(
      `insert into read.notifications (key, id, practice_id, kind, at)
       values ('subscription:' || $1, gen_random_uuid(), $1::uuid, 'subscription-canceled', $2)
       on conflict (key) do nothing`,
      [practice.id, new Date(clock().getTime() + 1_000)],
    )
    expect(await listNotifications(client)).toMatchObject({ unread: 0, items: [] })
    await setEnd(new Date(clock().getTime() - 60_000))
    expect(await listNotifications(client)).toMatchObject({ unread: 1, items: [{ kind: 'subscription-canceled' }] })
  })

  itLong('sees the outcome of an import with its counts', async () => {
    const { client, practice } = await newOwner(app)
    const nurse = await joinPractice(app, practice.id, 'nurse')
    const administrator = await joinPractice(app, practice.id, 'administrator')
    const csv = 'First Name,Last Name,DOB\nAda,Byron,1980-01-01\nAda,Byron,1980-01-01\n'
    const { importId } = (await client.post('/api/patients/import', { csv })).body
    for (const reader of [administrator, nurse])
      expect(
        await waitUntil(
          () => listNotifications(reader),
          ({ unread }) => unread > 0,
        ),
      ).toMatchObject({ items: [{ kind: 'import-finished', importId, created: 1, skipped: 1, failed: 0 }] })
  })
})

describe('the choices of a person', () => {
  const path = '/api/notifications/preferences'
  const defaults = {
    appointmentReminders: true,
    aiAlerts: true,
    formSubmissions: true,
    insuranceUpdates: true,
    dailyDigest: false,
  }

  it('steer what is shown and counted, for this person alone', async () => {
    const {
      client,
      doctor: { client: colleague },
      book,
    } = await newNotifiedPractice(app)
    await book('14:00', 0, { type: 'emergency' })
    expect((await client.get(path)).body).toEqual({ choices: defaults, revision: null, delivery: 'outbox' })
    const off = await client.patch(path, { choices: { appointmentReminders: false }, revision: null })
    expect(off.body).toEqual({ choices: { ...defaults, appointmentReminders: false }, revision: 0, delivery: 'outbox' })
    expect(await listNotifications(client)).toEqual({ items: [], unread: 0, next: null })
    expect(await listNotifications(colleague)).toMatchObject({ unread: 1 })
    expect((await colleague.get(path)).body).toEqual({ choices: defaults, revision: null, delivery: 'outbox' })
    await client.patch(path, { choices: { appointmentReminders: true }, revision: 0 })
    expect(await listNotifications(client)).toMatchObject({ unread: 1 })
  })

  it('report what was changed in another window, and change nothing', async () => {
    const { client } = await newOwner(app)
    expect((await client.patch(path, { choices: { dailyDigest: true }, revision: null })).status).toBe(200)
    const refused = await client.patch(path, { choices: { aiAlerts: false }, revision: null })
    expect(refused).toMatchObject({
      status: 409,
      problem: {
        code: 'changed-meanwhile',
        changes: [{ field: 'dailyDigest', value: true, by: 'Ada Okafor', at: expect.any(String) }],
      },
    })
    expect((await client.get(path)).body).toMatchObject({ choices: { ...defaults, dailyDigest: true }, revision: 0 })
    // Reading notifications does not count as a change of the choices.
    expect((await client.patch(path, { choices: { aiAlerts: false }, revision: 0 })).body.revision).toBe(1)
  })

  it('are changed without a revision, whatever was saved elsewhere', async () => {
    const { client } = await newOwner(app)
    expect((await client.patch(path, { choices: { dailyDigest: true } })).status).toBe(200)
    const second = await client.patch(path, { choices: { aiAlerts: false } })
    expect(second).toMatchObject({
      status: 200,
      body: { revision: 1, choices: { dailyDigest: true, aiAlerts: false } },
    })
  })

  it.each([
    [{ choices: { aiAlerts: 'yes' } }, 'choices.aiAlerts', 'Please send true or false'],
    [{ choices: { other: true } }, 'choices.other', 'This field is not known'],
    [{}, 'choices', 'This field is required'],
    [{ choices: {}, revision: -1 }, 'revision', 'Not a valid value'],
  ])('are refused with their field: %j', async (body, field, message) => {
    const { client } = await newOwner(app)
    expect(await client.patch(path, body)).toMatchObject({
      status: 422,
      problem: { errors: [{ path: field, message }] },
    })
  })
})

describe('open screens', () => {
  it('are notified of what was read elsewhere, and of the change behind a notification once it can be fetched', async () => {
    const { client, nurse, book } = await newNotifiedPractice(app)
    const stream = await openEventStream(client, '/api/changes')
    const colleague = await openEventStream(nurse.client, '/api/changes')
    await book('14:00', 0, { type: 'emergency' })
    await stream.waitUntil(() => stream.messages('change').length > 0)
    expect(stream.messages('change')).toMatchObject([{ kind: 'appointments' }])
    const { items, unread } = await listNotifications(client)
    expect(unread).toBe(1)
    await client.post('/api/notifications/read', { ids: [items[0]?.id] })
    await stream.waitUntil(() => stream.messages('change').length > 1)
    expect(stream.messages('change')[1]).toEqual({ kind: 'notifications' })
    // The next hint of a colleague is that of the next appointment.
    await book('15:00')
    await colleague.waitUntil(() => colleague.messages('change').length > 1)
    expect(colleague.messages('change')).toMatchObject([{ kind: 'appointments' }, { kind: 'appointments' }])
    stream.close()
    colleague.close()
  })
})
