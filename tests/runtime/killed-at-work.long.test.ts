import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newSubscriber } from '#tests/support/billing.ts'
import { type Client, createClient } from '#tests/support/client.ts'
import {
  readDatabaseUrl,
  killAllProcesses,
  startEverchart,
  createTemporaryDataDir,
  expectStopped,
} from '#tests/support/everchart-process.ts'
import { holdAppendsAt } from '#tests/support/held-appends.ts'
import { newUser, practiceDetails } from '#tests/support/practice.ts'
import { waitUntil } from '#tests/support/wait-until.ts'

let data: Awaited<ReturnType<typeof createTemporaryDataDir>>
beforeEach(async () => (data = await createTemporaryDataDir()))
afterEach(() => data.remove())

/** Returns a client with the same session at the application's new address. */
function reconnect(url: string, before: Client): Client {
  const client = createClient(url)
  client.setCookie(before.cookie())
  return client
}

/** Returns the full names of all patients of the practice, page by page. */
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

test('killed during 200 concurrent writes: every acknowledged one is stored, none twice', async () => {
  const first = startEverchart(data.folder)
  await first.ready
  // A demo practice holds 500 patients.
  const { client } = await newSubscriber({ newClient: () => createClient(first.url()) })
  const acknowledged: string[] = []
  const notSaved: string[] = []
  const unknown: string[] = []
  const refused: unknown[] = []
  let sent = 0
  // Each writer sends the next patient as soon as the last one is answered: 200 writes are in flight at the kill. A busy
  // machine is too slow for some of them, and says so.
  const writers = Array.from({ length: 200 }, async () => {
    for (;;) {
      const lastName = `Number${sent++}`
      const answer = await client.post('/api/patients', { firstName: 'Written', lastName }).catch(() => null)
      if (answer === null) return
      const name = `Written ${lastName}`
      if (answer.status === 201) acknowledged.push(name)
      else if (answer.problem.code === 'outcome-unknown') unknown.push(name)
      else if (answer.status === 503) notSaved.push(name)
      else return void refused.push(answer.body)
    }
  })
  await waitUntil(() => acknowledged.length >= 60)
  await killAllProcesses(data.folder)
  await Promise.all(writers)
  await first.ended
  expect(refused).toEqual([])
  expect(sent - acknowledged.length - unknown.length - notSaved.length).toBe(200)

  const second = startEverchart(data.folder)
  const names = await everyone(reconnect(await second.ready, client))
  expect(names.length).toBe(new Set(names).size)
  expect(names).toEqual(expect.arrayContaining(acknowledged))
  expect(notSaved.filter((name) => names.includes(name))).toEqual([])
  second.kill('SIGTERM')
  await expectStopped(second)
})

test('killed during an import: it resumes by itself, and every row is stored once', async () => {
  const csv = await readFile('tests/fixtures/patients-synthea.csv', 'utf8')
  const [heading = '', ...rows] = csv.trim().split(/\r?\n/)
  // Copies of the file with distinct last names, several times the rows at which the import is killed.
  const last = heading.split(',').indexOf('LAST')
  const many = Array.from({ length: 3 }, (_, copy) =>
    rows.map((row) =>
      row
        .split(',')
        .map((cell, column) => (column === last ? `${cell}x${copy}` : cell))
        .join(','),
    ),
  ).flat()
  const first = startEverchart(data.folder)
  await first.ready
  const { client } = await newSubscriber({ newClient: () => createClient(first.url()) })
  // After the first progress report, before the second.
  const appends = await holdAppendsAt(await readDatabaseUrl(data.folder), 'PatientRegistered', 400)
  const started = await client.post('/api/patients/import', { csv: [heading, ...many].join('\n') })
  expect(started.status).toBe(202)
  const status = async (asking: Client) => (await asking.get(`/api/patients/import/${started.body.importId}`)).body
  await appends.reached()
  const { done: doneBefore } = await status(client)
  expect(doneBefore).toBeGreaterThan(0)
  expect(doneBefore).toBeLessThan(many.length)
  await killAllProcesses(data.folder)
  await first.ended

  const second = startEverchart(data.folder)
  const again = reconnect(await second.ready, client)
  await waitUntil(async () => (await status(again)).state === 'done')
  const done = await status(again)
  const names = await everyone(again)
  expect(names.length).toBe(done.created)
  expect(new Set(names).size).toBe(names.length)
  expect(done.created + done.skipped + done.failed.length).toBe(many.length)
  second.kill('SIGTERM')
  await expectStopped(second)
})

test('killed while a sample practice is written: it completes by itself, without duplicates', async () => {
  const first = startEverchart(data.folder, { SAMPLE_PRACTICE: 'on' })
  await first.ready
  const { client } = await newUser({ newClient: () => createClient(first.url()) })
  const appends = await holdAppendsAt(await readDatabaseUrl(data.folder), 'PatientRegistered', 10)
  const answer = client.post('/api/practices/setup', practiceDetails).catch(() => null)
  await appends.reached()
  await killAllProcesses(data.folder)
  await Promise.all([answer, first.ended])

  const second = startEverchart(data.folder, { SAMPLE_PRACTICE: 'on' })
  const again = reconnect(await second.ready, client)
  const sample = async () => (await again.get('/api/sample-data')).body
  await waitUntil(async () => (await sample()).state === 'seeded')
  const names = await everyone(again)
  expect([names.length, new Set(names).size]).toEqual([40, 40])
  expect(await sample()).toMatchObject({ patients: 40, edited: [] })
  second.kill('SIGTERM')
  await expectStopped(second)
})
