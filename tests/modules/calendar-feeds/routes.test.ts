import ICAL from 'ical.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BookingConcern } from '#contracts/values/appointments.ts'
import { type CalendarFeed, calendarFeedDays } from '#contracts/calendar-feeds.ts'
import { UserId } from '#contracts/values/ids.ts'
import type { Role } from '#contracts/values/roles.ts'
import { findUserNames } from '#modules/accounts/public.ts'
import { endAllFeedsWithoutRight, endFeedsJob, endFeedsWithoutRight } from '#modules/calendar-feeds/end-feeds.ts'
import { endFeeds } from '#modules/calendar-feeds/jobs.ts'
import { findOpenFeeds } from '#modules/calendar-feeds/queries.ts'
import { ReadModelsBehind } from '#modules/kit/wait-for-read-models.ts'
import { readAllEvents } from '#tests/support/events.ts'
import { joinPractice, newMember } from '#tests/support/members.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { newSchedulingPractice } from '#tests/modules/appointments/scheduling-practice.ts'
import { itLong } from '#tests/support/long.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

/** Fixed: dates would differ from each other across midnight. */
const startedAt = Date.now()
const soon = (days: number) => new Date(startedAt + days * 86_400_000).toISOString().slice(0, 10)

async function withFeed(testApp = app) {
  const fixture = await newSchedulingPractice(testApp)
  const answer = await fixture.client.post('/api/calendar-feeds', { providerId: fixture.provider.id, label: 'Phone' })
  const feed = answer.body as { id: string; path: string; label: string }
  return { ...fixture, feed }
}

it('is read without a session, and contains only initials', async () => {
  const { book, client, feed } = await withFeed()
  const first = await book(`${soon(3)}T09:00`, { reason: 'Cough; fever, chills', notes: 'Secret', status: 'confirmed' })
  const moved = await book(`${soon(4)}T09:00`)
  await client.patch(`/api/appointments/${moved.id}`, {
    appointmentDate: `${soon(5)}T10:00`,
    confirmed: BookingConcern.options,
  })
  const gone = await book(`${soon(6)}T09:00`)
  await client.patch(`/api/appointments/${gone.id}`, { status: 'cancelled' })

  const answer = await app.newClient().get(feed.path)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('private, max-age=300')
  const text = answer.body as string
  // RFC 5545: lines end with CRLF and are at most 75 octets long.
  expect(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75 && !line.includes('\n'))).toBe(true)
  for (const secret of ['Grace', 'Liu', 'Cough', 'Secret', 'consultation']) expect(text).not.toContain(secret)

  const calendar = new ICAL.Component(ICAL.parse(text) as never)
  expect(calendar.getFirstPropertyValue('version')).toBe('2.0')
  expect(calendar.getFirstPropertyValue('prodid')).toContain('Everchart')
  const events = calendar.getAllSubcomponents('vevent').map((each) => new ICAL.Event(each))
  expect(events.map(({ uid }) => uid)).toEqual([`${first.id}@everchart`, `${moved.id}@everchart`])
  const [one, two] = events
  expect(one?.summary).toBe('G. L.')
  expect(one?.startDate.toJSDate().toISOString()).toBe(first.appointmentDate)
  expect(one?.endDate.toJSDate().toISOString()).toBe(first.endsAt)
  expect(one?.component.getFirstPropertyValue('status')).toBe('CONFIRMED')
  expect(one?.component.getFirstPropertyValue('dtstamp')).not.toBeNull()
  expect(two?.sequence).toBe(1)
  expect(two?.startDate.toJSDate().toISOString().slice(0, 10)).toBe(soon(5))
})

it('contains the name of the provider, with any characters', async () => {
  const { client, provider, feed } = await withFeed()
  const name = String.raw`Dr. O'Neil; "Jo", C:\new`
  await client.patch(`/api/providers/${provider.id}`, { name })
  const text = (await app.newClient().get(feed.path)).body as string
  // RFC 7986, 5.1: a text, in which these four are escaped.
  const escaped = String.raw`Everchart\, Dr. O'Neil\; "Jo"\, C:\\new`
  const unfolded = text.replaceAll('\r\n ', '').split('\r\n')
  expect(unfolded).toEqual(expect.arrayContaining([`NAME:${escaped}`, `X-WR-CALNAME:${escaped}`]))
})

it('returns 404 once revoked, and for every other secret', async () => {
  const { client, feed } = await withFeed()
  expect((await client.get('/api/calendar-feeds')).body).toMatchObject([
    { id: feed.id, label: 'Phone', createdBy: 'Ada Okafor' },
  ])
  const visitor = app.newClient()
  expect((await visitor.get(feed.path)).status).toBe(200)
  expect((await visitor.get(feed.path.replace('/appointments.ics', 'x/appointments.ics'))).status).toBe(404)
  const secret = feed.path.split('/')[3]
  // An address of the first version, whose secret ended up in the logs of proxies.
  expect((await client.get(`/api/appointments/calendar.ics?token=${secret}`)).status).toBe(404)
  expect((await client.delete(`/api/calendar-feeds/${feed.id}`)).status).toBe(204)
  expect((await visitor.get(feed.path)).status).toBe(404)
  expect((await client.get('/api/calendar-feeds')).body).toEqual([])
})

it('stores no secret, neither in an event nor in a table', async () => {
  const { feed } = await withFeed()
  const secret = feed.path.split('/')[3] ?? ''
  expect(secret.length).toBeGreaterThan(40)
  expect(
    JSON.stringify(await readAllEvents(app.services.store), (_, value: unknown) =>
      typeof value === 'bigint' ? Number(value) : value,
    ),
  ).not.toContain(secret)
  const { rows } = await app.services.pool.query('select * from read.calendar_feeds')
  expect(JSON.stringify(rows)).not.toContain(secret)
})

it('cannot be created or revoked for another practice', async () => {
  const [one, other] = [await withFeed(), await withFeed()]
  expect((await one.client.post('/api/calendar-feeds', { providerId: other.provider.id, label: 'x' })).status).toBe(404)
  expect((await one.client.delete(`/api/calendar-feeds/${other.feed.id}`)).status).toBe(404)
  expect((await app.newClient().get(other.feed.path)).status).toBe(200)
})

it('is created, listed and revoked by the owner and administrators only', async () => {
  const { client, practice, provider, feed } = await withFeed()
  for (const role of ['staff', 'nurse', 'doctor'] as const) {
    const member = await joinPractice(app, practice.id, role)
    const answers = [
      await member.get('/api/calendar-feeds'),
      await member.post('/api/calendar-feeds', { providerId: provider.id, label: 'Mine' }),
      await member.delete(`/api/calendar-feeds/${feed.id}`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
  }
  const administrator = await joinPractice(app, practice.id, 'administrator')
  expect((await administrator.delete(`/api/calendar-feeds/${feed.id}`)).status).toBe(204)
  expect((await client.get('/api/calendar-feeds')).body).toEqual([])
})

describe('ends for good when its creator', () => {
  const setPlace = (userId: string, practice: string | null, role: Role) =>
    app.services.pool.query('update read.users set practice_id = $2, role = $3 where user_id = $1', [
      userId,
      practice,
      role,
    ])

  /** Returns a feed of an administrator, and how its address and the list show it. */
  async function withFeedOfAdministrator() {
    const { client, practice, provider } = await withFeed()
    const creator = await newMember(app, practice.id, 'administrator')
    const body = { providerId: provider.id, label: 'Mine' }
    const feed = (await creator.client.post('/api/calendar-feeds', body)).body as { id: string; path: string }
    const getStatus = async () => (await app.newClient().get(feed.path)).status
    const getListed = async () =>
      ((await client.get('/api/calendar-feeds')).body as CalendarFeed[]).find(({ id }) => id === feed.id)
    expect([await getStatus(), (await getListed())?.ended]).toEqual([200, null])
    return { client, creator: creator.user, practiceId: practice.id, id: feed.id, getStatus, getListed }
  }

  it.each([
    ['leaves the practice', null, 'administrator', 'creator-left'],
    ['is in another practice', 'other', 'administrator', 'creator-left'],
    ['may no longer create feeds', 'own', 'nurse', 'permission-lost'],
  ] as const)('%s', async (_, place, role, reason) => {
    const { client, creator, practiceId, id, getStatus, getListed } = await withFeedOfAdministrator()
    const other = place === 'other' ? (await withFeed()).practice.id : null
    await setPlace(creator.id, place === 'own' ? practiceId : other, role)
    expect(await getStatus()).toBe(404)
    expect(await getListed()).toMatchObject({ ended: { reason }, createdBy: 'Ada Okafor' })
    await setPlace(creator.id, practiceId, 'administrator')
    expect(await getStatus()).toBe(404)
    expect(await getListed()).toMatchObject({ ended: { reason } })
    expect((await client.delete(`/api/calendar-feeds/${id}`)).status).toBe(204)
    expect(await getListed()).toBeUndefined()
  })

  it('loses the permission for a while in which the address is not used', async () => {
    const { creator, practiceId, id, getStatus, getListed } = await withFeedOfAdministrator()
    await setPlace(creator.id, practiceId, 'doctor')
    await app.services.jobs.send(endFeedsJob, {})
    const findEnded = 'select from read.calendar_feeds where id = $1 and ended_at is not null'
    await waitUntil(async () => (await app.services.pool.query(findEnded, [id])).rowCount === 1)
    await setPlace(creator.id, practiceId, 'administrator')
    expect(await getStatus()).toBe(404)
    expect(await getListed()).toMatchObject({ ended: { reason: 'permission-lost' } })
  })
})

it.each([1, 2, 3])('ends on whichever page it is, with %d on a page', async (pageSize) => {
  const { client, practice, provider } = await withFeed()
  const creator = await newMember(app, practice.id, 'administrator')
  for (const label of ['One', 'Two', 'Three'])
    expect((await creator.client.post('/api/calendar-feeds', { providerId: provider.id, label })).status).toBe(201)
  const { pool } = app.services
  await pool.query(`update read.users set role = 'nurse' where user_id = $1`, [creator.user.id])
  await endAllFeedsWithoutRight(app.services, new AbortController().signal, pageSize)
  const { rows } = await pool.query<{ label: string }>(
    'select label from read.calendar_feeds where practice_id = $1 and ended_at is not null order by created_at',
    [practice.id],
  )
  expect(rows.map(({ label }) => label)).toEqual(['One', 'Two', 'Three'])
  const listed = (await client.get('/api/calendar-feeds')).body as CalendarFeed[]
  expect(listed.filter(({ ended }) => ended === null).map(({ label }) => label)).toEqual(['Phone'])
})

it('is not searched for by a job that has to stop', async () => {
  await expect(endAllFeedsWithoutRight(app.services, AbortSignal.abort(new Error('stopping')))).rejects.toThrow(
    'stopping',
  )
})

describe('when the read models lack its creator', () => {
  itLong('does not end while they are behind, and its address returns 503, which calendar programs retry', async () => {
    const stopping = await startTestApp()
    try {
      const { client, user, feed } = await withFeed(stopping)
      await stopping.projectionRunner.stop()
      expect((await client.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper' })).status).toBe(201)
      await stopping.services.pool.query('delete from read.users where user_id = $1', [user.id])
      const run = { id: stopping.services.newId(), attempt: 1, signal: new AbortController().signal }
      await expect(endFeeds.run(stopping.services, {}, run)).rejects.toThrow(ReadModelsBehind)
      const reply = await stopping.newClient().get(feed.path)
      expect(reply).toMatchObject({ status: 503, problem: { code: 'not-ready' } })
      expect(reply.headers.get('retry-after')).toBe('60')
      const events = await readAllEvents(stopping.services.store)
      expect(events.map(({ type }) => type)).not.toContain('CalendarFeedEnded')
    } finally {
      await stopping.dispose()
    }
  })

  it('stays open when they contain the creator a moment later', async () => {
    const { user, practice, feed } = await withFeed()
    const { services } = app
    const [openFeed] = await findOpenFeeds(services.db, services.clock(), practice.id)
    const createdBy = UserId.parse(services.newId())
    const waitUntilCaughtUp: typeof services.waitUntilCaughtUp = async (...args) => {
      const change = JSON.stringify({ user_id: createdBy })
      await services.pool.query(
        'insert into read.users select (json_populate_record(u, $2)).* from read.users u where user_id = $1',
        [user.id, change],
      )
      return await services.waitUntilCaughtUp(...args)
    }
    const feeds = openFeed ? [{ ...openFeed, createdBy }] : []
    expect(feeds).toHaveLength(1)
    expect(await endFeedsWithoutRight({ ...services, waitUntilCaughtUp }, feeds)).toEqual(new Set())
    expect(await findUserNames(services.db, [createdBy])).toEqual(new Map([[createdBy, 'Ada Okafor']]))
    expect((await app.newClient().get(feed.path)).status).toBe(200)
  })
})

it('expires after a year', async () => {
  const { client, feed } = await withFeed()
  const expire = (days: number) =>
    app.services.pool.query("update read.calendar_feeds set created_at = now() - $2 * interval '1 day' where id = $1", [
      feed.id,
      days,
    ])
  const [listed] = (await client.get('/api/calendar-feeds')).body as { createdAt: string; expiresAt: string }[]
  expect(Date.parse(listed?.expiresAt ?? '') - Date.parse(listed?.createdAt ?? '')).toBe(calendarFeedDays * 86_400_000)
  await expire(calendarFeedDays - 1)
  expect((await app.newClient().get(feed.path)).status).toBe(200)
  // One day more: the clock of JavaScript drops the microseconds that PostgreSQL stores.
  await expire(calendarFeedDays + 1)
  expect((await app.newClient().get(feed.path)).status).toBe(404)
  expect((await client.get('/api/calendar-feeds')).body).toEqual([])
})
