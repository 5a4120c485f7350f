import ICAL from 'ical.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readAllEvents } from '#tests/support/events.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { newSchedulingPractice } from '#tests/modules/appointments/scheduling-practice.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

const soon = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

async function withFeed() {
  const fixture = await newSchedulingPractice(app)
  const answer = await fixture.client.post('/api/calendar-feeds', { providerId: fixture.provider.id, label: 'Phone' })
  const feed = answer.body as { id: string; path: string; label: string }
  return { ...fixture, feed }
}

it('is read without a session, and contains only initials', async () => {
  const { book, client, feed } = await withFeed()
  const first = await book(`${soon(3)}T09:00`, { reason: 'Cough; fever, chills', notes: 'Secret', status: 'confirmed' })
  const moved = await book(`${soon(4)}T09:00`)
  await client.patch(`/api/appointments/${moved.id}`, { appointmentDate: `${soon(5)}T10:00` })
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
  expect((await visitor.get(`${feed.path}x`)).status).toBe(404)
  expect((await visitor.get('/api/appointments/calendar.ics')).status).toBe(404)
  expect((await client.delete(`/api/calendar-feeds/${feed.id}`)).status).toBe(204)
  expect((await visitor.get(feed.path)).status).toBe(404)
  expect((await client.get('/api/calendar-feeds')).body).toEqual([])
})

it('stores no secret, neither in an event nor in a table', async () => {
  const { feed } = await withFeed()
  const secret = feed.path.split('=')[1] ?? ''
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
