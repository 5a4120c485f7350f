import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Client, createClient } from '#tests/support/client.ts'
import { killAllProcesses, startEverchart, createTemporaryDataDir } from '#tests/support/everchart-process.ts'
import { newOwner, newUser, practiceDetails } from '#tests/support/practice.ts'

let data: Awaited<ReturnType<typeof createTemporaryDataDir>>
beforeEach(async () => (data = await createTemporaryDataDir()))
afterEach(() => data.remove())

/** The same browser, after the app has come back at another address. */
function movedTo(url: string, before: Client): Client {
  const client = createClient(url)
  client.setCookie(before.cookie())
  return client
}

/** Every patient of the practice, page by page, as `first last`. */
async function everyone(client: Client): Promise<string[]> {
  const names: string[] = []
  for (let path: string | undefined = '/api/patients?limit=500'; path;) {
    const answer = await client.get(path)
    expect(answer.status).toBe(200)
    names.push(...answer.body.map((row: { firstName: string; lastName: string }) => `${row.firstName} ${row.lastName}`))
    path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  return names
}

test('killed in the middle of 200 concurrent writes: every acknowledged one is there, none twice', async () => {
  const first = startEverchart(data.folder)
  await first.ready
  const { client } = await newOwner({ newClient: () => createClient(first.url()) })
  const acknowledged: string[] = []
  const attempts = Array.from({ length: 200 }, async (_, n) => {
    const answer = await client
      .post('/api/patients', { firstName: 'Written', lastName: `Number${n}` })
      .catch(() => null)
    if (answer?.status === 201) acknowledged.push(`Written Number${n}`)
  })
  while (acknowledged.length < 60) await sleep(5)
  await killAllProcesses(data.folder)
  await Promise.all(attempts)
  await first.ended
  expect(acknowledged.length).toBeLessThan(200)

  const second = startEverchart(data.folder)
  const names = await everyone(movedTo(await second.ready, client))
  expect(names.length).toBe(new Set(names).size)
  expect(names).toEqual(expect.arrayContaining(acknowledged))
  second.kill('SIGTERM')
  expect((await second.ended).code).toBe(0)
})

test('killed in the middle of an import: it goes on by itself, and every row is there once', async () => {
  const csv = await readFile('tests/fixtures/patients-synthea.csv', 'utf8')
  const [heading = '', ...rows] = csv.trim().split(/\r?\n/)
  // Ten times the file, the family names told apart, so that there is a middle to be killed in.
  const last = heading.split(',').indexOf('LAST')
  const many = Array.from({ length: 10 }, (_, copy) =>
    rows.map((row) =>
      row
        .split(',')
        .map((cell, column) => (column === last ? `${cell}x${copy}` : cell))
        .join(','),
    ),
  ).flat()
  const first = startEverchart(data.folder)
  await first.ready
  const { client } = await newOwner({ newClient: () => createClient(first.url()) })
  const started = await client.post('/api/patients/import', { csv: [heading, ...many].join('\n') })
  expect(started.status).toBe(202)
  const status = async (asking: Client) => (await asking.get(`/api/patients/import/${started.body.importId}`)).body
  while ((await status(client)).done === 0) await sleep(5)
  await killAllProcesses(data.folder)
  await first.ended

  const second = startEverchart(data.folder)
  const again = movedTo(await second.ready, client)
  const resumed = await status(again)
  expect(resumed.done).toBeLessThan(many.length)
  await expect.poll(async () => (await status(again)).state, { timeout: 90_000, interval: 250 }).toBe('done')
  const done = await status(again)
  const names = await everyone(again)
  expect(names.length).toBe(done.created)
  expect(new Set(names).size).toBe(names.length)
  expect(done.created + done.skipped + done.failed.length).toBe(many.length)
  second.kill('SIGTERM')
  expect((await second.ended).code).toBe(0)
})

test('killed while a sample practice is being written: it is completed by itself, and nobody is there twice', async () => {
  const first = startEverchart(data.folder, { SAMPLE_PRACTICE: 'on' })
  await first.ready
  const { client } = await newUser({ newClient: () => createClient(first.url()) })
  const answer = client.post('/api/practices/setup', practiceDetails).catch(() => null)
  // As soon as the practice is there the sample is on its way.
  while ((await client.get('/api/providers')).status !== 200);
  await killAllProcesses(data.folder)
  await Promise.all([answer, first.ended])

  const second = startEverchart(data.folder, { SAMPLE_PRACTICE: 'on' })
  const again = movedTo(await second.ready, client)
  const sample = async () => (await again.get('/api/sample-data')).body
  await expect.poll(async () => (await sample()).state, { timeout: 60_000, interval: 250 }).toBe('seeded')
  const names = await everyone(again)
  expect([names.length, new Set(names).size]).toEqual([40, 40])
  expect(await sample()).toMatchObject({ patients: 40, edited: [] })
  second.kill('SIGTERM')
  expect((await second.ended).code).toBe(0)
})
