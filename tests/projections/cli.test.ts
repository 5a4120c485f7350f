import { pino } from 'pino'
import type { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NewEvent } from '#eventstore/event.ts'
import { type PostgresStore, postgresStore } from '#eventstore/postgres.ts'
import { runProjections } from '#projections/cli.ts'
import { openPool } from '#projections/database.ts'
import { createFeed, type Feed } from '#projections/feed.ts'
import { type AnyProjection, projection } from '#projections/projection.ts'
import type { Listed } from '#projections/listing.ts'
import type { Terminal } from '#projections/terminal.ts'
import { newEvent, readStream } from '#tests/support/events.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'
import { booked, moved, sound, tags, visits } from '#tests/support/visits.ts'

let database: TestDatabase
let pool: Pool
let store: PostgresStore
let feeds: Feed[]

beforeEach(async () => {
  database = await createTestDatabase()
  pool = openPool(database.url, 20)
  store = await postgresStore(pool)
  feeds = []
})
afterEach(async () => {
  for (const feed of feeds) await feed.stop()
  await store.close()
  await pool.end()
  await database.drop()
})

async function follow(projections: readonly AnyProjection[] = [visits, tags]): Promise<Feed> {
  const feed = createFeed({ store, pool, projections, logger: pino({ level: 'silent' }) })
  feeds.push(feed)
  await feed.start()
  return feed
}

async function write(...events: NewEvent[]): Promise<string> {
  const appended = await store.append(`visit-${crypto.randomUUID()}`, 'no-stream', events)
  if (appended.status !== 'appended') throw new Error(appended.status)
  return appended.position
}

/** What a person sees who calls `npm run projections -- …`, and the exit code. */
async function call(line: string, over: Partial<Terminal> & { projections?: readonly AnyProjection[] } = {}) {
  const [out, err]: string[][] = [[], []]
  const { projections = [visits, tags], ...rest } = over
  const terminal: Terminal = {
    out: (text) => void out?.push(text),
    err: (text) => void err?.push(text),
    bar: null,
    ask: null,
    signal: new AbortController().signal,
    who: 'operator',
    ...rest,
  }
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  const code = await runProjections(words, projections, terminal, (run) => run({ store, pool }))
  return { code, out: out ?? [], err: err ?? [] }
}

describe('npm run projections', () => {
  it('lists how far every read model is', async () => {
    await write(booked('a', { tags: ['x', 'y'] }))
    const head = await write(moved('a'))
    await (await follow()).stop()
    const json = JSON.parse((await call('--json')).out.join('\n')) as { name: string }[]
    expect(json).toMatchObject([
      { name: 'visits', version: 1, codeVersion: 1, state: 'running', position: head, head, lag: 0, rows: 1 },
      { name: 'tags', version: 1, state: 'running', position: head, lag: 0, rows: 2, next: null, previous: null },
    ])
    await write(booked('b'))
    const { out, code } = await call('list', { projections: [visits, { ...tags, version: 2 }] })
    expect(code).toBe(0)
    expect(out[0]).toMatch(/^name +version +state +position +head +lag +rows +since$/)
    expect(out[1]).toMatch(/^visits +1 +running +pg-\S+2 +pg-\S+3 +1 +1 +20\S+Z$/)
    expect(out[2]).toMatch(/^tags .*this is version 2$/)
  })

  it('rebuilds one or all, and says how far it is', async () => {
    await write(booked('a'), moved('a'))
    await follow()
    await pool.query('update read.visits set moves = 9; update read.tags set n = 9')
    const bars: (string | null)[] = []
    const one = await call('rebuild visits', { bar: (line) => bars.push(line) })
    expect(one).toMatchObject({ code: 0, out: [expect.stringMatching(/^visits: done, 2 events in \d+\.\d s$/)] })
    expect(bars[0]).toMatch(/^visits {2}folding {2}\[[#.]{24}\] +\d+ % {2}2 events {2}[\d,]+ events\/s/)
    expect(bars.at(-1)).toBeNull()
    expect((await call('verify visits')).code).toBe(0)
    expect((await call('verify tags')).code).toBe(1)
    expect((await call('rebuild --all')).out).toHaveLength(2)
    expect((await call('verify --all')).code).toBe(0)
  })

  it('tells what would change, and does nothing unless somebody says yes', async () => {
    await write(booked('a'), booked('b'))
    await follow()
    await pool.query(`update read.visits set moves = 9 where id = 'a'; delete from read.visits where id = 'b'`)
    const told = ['  a  differs in moves', '  b  is missing', 'visits: 2 rows would change']
    const asked: string[] = []
    const answer = (yes: boolean) => async (question: string) => asked.push(question) > 0 && yes
    const refused = await call('rebuild visits --diff', { ask: answer(false) })
    expect(refused.code).toBe(1)
    expect(refused.out.toSorted()).toEqual(told)
    expect(await call('rebuild visits --diff')).toMatchObject({
      code: 1,
      err: [/nobody to ask/, /nothing/].map((text) => expect.stringMatching(text)),
    })
    expect((await call('rebuild visits --prepare')).out.at(-1)).toMatch(/the new table is ready/)
    expect((await call('list')).out[1]).toMatch(/a rebuild to version 1 has begun$/)
    expect((await call('verify visits')).code).toBe(1)
    const revealed = await call('rebuild visits --diff --reveal', { ask: answer(true) })
    expect(revealed.code).toBe(0)
    expect(revealed.out).toContain('    moves: is 9, should be 0')
    expect(asked).toHaveLength(2)
    expect(await call('rebuild visits --diff --yes')).toMatchObject({
      code: 0,
      out: ['visits: no row would change', expect.stringMatching(/done/)],
    })
  })

  it('goes back to the table of before, and only to one there is', async () => {
    await write(booked('a'))
    await follow()
    expect(await call('swap-back visits')).toMatchObject({
      code: 1,
      err: [expect.stringMatching(/no table of version 1/)],
    })
    await pool.query('update read.visits set moves = 9')
    await call('rebuild visits')
    await write(booked('b'))
    expect((await call('swap-back visits')).code).toBe(0)
    expect((await pool.query('select id, moves from read.visits order by id')).rows).toEqual([
      { id: 'a', moves: 9 },
      { id: 'b', moves: 0 },
    ])
    expect((await call('list')).out[1]).toMatch(/version 1 is kept$/)
  })

  it('refuses a second rebuild of the same read model in the meantime', async () => {
    await write(booked('a'))
    await follow()
    await pool.query('update read.visits set moves = 9')
    const seconds: unknown[] = []
    const ask = async () => seconds.push(await call('rebuild visits')) > 0
    expect((await call('rebuild visits --diff', { ask })).code).toBe(0)
    expect(seconds).toEqual([{ code: 1, out: [], err: ['visits: is being rebuilt by somebody else'] }])
  })

  it('proves, and names what differs', async () => {
    await write(booked('a'), booked('b'))
    await follow()
    await pool.query(`update read.visits set moves = 9, extra = null where id = 'a'`)
    const { code, out } = await call('verify visits')
    expect([code, out[0]]).toEqual([1, '  a  differs in extra, moves'])
    expect(out[1]).toMatch(/^visits: 1 difference, 2 rows of 2 events, at pg-\d+$/)
    const json = JSON.parse((await call('verify visits --json')).out.join('')) as object[]
    expect(json).toMatchObject([{ name: 'visits', rows: 2, differences: [{ key: 'a', columns: ['extra', 'moves'] }] }])
  })

  it('ends when it is told to, and goes on at the next call', async () => {
    await write(booked('a'))
    await follow()
    const signal = AbortSignal.abort()
    expect(await call('rebuild visits', { signal })).toMatchObject({
      code: 130,
      err: [expect.stringMatching(/cancelled, nothing was changed/)],
    })
    expect((await call('verify visits', { signal })).code).toBe(130)
    expect((await call('rebuild visits')).code).toBe(0)
  })

  it('lets a read model that stands still try again, in the copy that follows it', async () => {
    let isBroken = true
    const moody = projection({
      ...sound,
      on: {
        ...sound.on,
        VisitBooked: (row: never, event: never, key) => {
          if (isBroken) throw new RangeError('moody')
          return sound.on.VisitBooked?.(row, event, key) ?? null
        },
      },
    } as typeof sound)
    const projections = [moody, tags]
    const feed = await follow(projections)
    const since = async () => (JSON.parse((await call('--json', { projections })).out.join('')) as Listed[])[0]?.since
    const moments = [await since()]
    const position = await write(booked('a'))
    await feed.caughtUp(['VisitBooked'], position)
    moments.push(await since())
    expect((await call('list')).out[1]).toMatch(
      new RegExp(`failed .*stands still at ${position} .VisitBooked: RangeError.$`),
    )
    expect(await call('retry visits', { projections })).toMatchObject({ code: 1 })
    isBroken = false
    expect(await call('retry visits', { projections })).toMatchObject({ code: 0, out: ['visits: runs again'] })
    expect(await feed.state()).toMatchObject([{ state: 'running', lag: 0 }, { state: 'running' }])
    moments.push(await since())
    await feed.caughtUp(['VisitBooked'], await write(booked('b')))
    expect(await since()).toBe(moments[2])
    expect(new Set(moments).size).toBe(3)
    expect(await call('retry visits', { projections })).toMatchObject({ code: 1, err: ['visits does not stand still'] })
  })

  it('leaves one event out, for ever, and records who decided that and why', async () => {
    const feed = await follow()
    const position = await write(newEvent('VisitBroken', { id: 'a' }))
    await feed.caughtUp(['VisitBroken'], await write(booked('later')))
    expect(await call(`skip visits --position pg-1 --why "x"`)).toMatchObject({
      code: 1,
      err: [`visits stands still at ${position}`],
    })
    const skipped = await call(`skip visits --position ${position} --why "entered twice"`)
    expect(skipped).toMatchObject({ code: 0, out: [expect.stringMatching(/left out/), 'visits: runs again'] })
    const [recorded] = await readStream(store, 'projection-visits')
    expect(recorded).toMatchObject({
      type: 'ReadModelEventSkipped',
      data: { projection: 'visits', position, eventType: 'VisitBroken', by: 'operator', why: 'entered twice' },
    })
    await feed.caughtUp(['VisitBooked'], await write(booked('last')))
    const there = async () => (await pool.query('select id from read.visits order by id')).rows.map(({ id }) => id)
    expect(await there()).toEqual(['last', 'later'])
    for (const line of ['verify visits', 'rebuild visits', 'swap-back visits', 'verify visits'])
      expect([line, (await call(line)).code]).toEqual([line, 0])
    await feed.stop()
    await pool.query('drop schema read cascade')
    await (await follow()).stop()
    expect(await there()).toEqual(['last', 'later'])
  })

  it('helps on where a rebuild stands still because the version went up', async () => {
    await write(booked('a'))
    const position = await write(newEvent('VisitBroken', { id: 'a' }))
    await (await follow([sound, tags])).stop()
    const projections = [{ ...visits, version: 2 }, tags]
    const feed = await follow(projections)
    expect(await feed.state()).toMatchObject([{ state: 'failed' }, { state: 'running' }])
    expect((await call('list', { projections })).out[1]).toMatch(/its rebuild stands still at/)
    expect(await call('verify visits', { projections })).toMatchObject({ code: 1 })
    expect(await call('rebuild visits', { projections })).toMatchObject({
      code: 1,
      err: [`It stops at the event ${position} (VisitBroken: RangeError)`],
    })
    expect((await call(`skip visits --position ${position} --why "a bug"`, { projections })).code).toBe(0)
    expect((await call('rebuild visits', { projections })).code).toBe(0)
    await expect.poll(() => feed.state()).toMatchObject([{ state: 'running' }, { state: 'running' }])
    expect((await call('verify --all', { projections })).code).toBe(0)
  })

  it.each([
    'dance',
    'list visits',
    'rebuild',
    'rebuild nothing',
    'rebuild visits tags',
    'rebuild visits --all',
    'rebuild visits --prepare --yes',
    'verify visits --diff',
    'retry',
    'skip visits',
    'skip visits --position pg-1',
    'skip visits --position pg-1 --why " "',
    '--what',
    'swap-back visits --json',
  ])('refuses nonsense in one line, before it looks at anything: %s', async (line) => {
    const refused = await runProjections(
      [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''),
      [visits, tags],
      {
        out: (text) => expect.fail(text),
        err: (text) => expect(text).toMatch(/^[^\n]+$/),
        bar: null,
        ask: null,
        signal: new AbortController().signal,
        who: 'operator',
      },
      () => expect.fail('opened the database'),
    )
    expect(refused).toBe(2)
  })

  it('shows what it can do', async () => {
    expect((await call('rebuild --help')).out.join('\n')).toMatch(/swap-back <name>/)
  })

  it('says that there is nothing yet', async () => {
    await (await follow([tags])).stop()
    expect(await call('rebuild visits')).toMatchObject({
      code: 1,
      err: ['visits has no table yet: start Everchart once'],
    })
  })
})
