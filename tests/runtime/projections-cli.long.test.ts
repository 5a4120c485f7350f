import { afterEach, beforeEach, expect, test } from 'vitest'
import { createClient } from '#tests/support/client.ts'
import {
  findDatabaseProcesses,
  startEverchart,
  createTemporaryDataDir,
  expectStopped,
  waitUntilHealthy,
} from '#tests/support/everchart-process.ts'
import { newOwner } from '#tests/support/practice.ts'
import { runTool } from '#tests/support/run-tool.ts'

let data: Awaited<ReturnType<typeof createTemporaryDataDir>>
beforeEach(async () => (data = await createTemporaryDataDir()))
afterEach(() => data.remove())

const projections = (...args: string[]) => runTool('projections', args, { DATA_DIR: data.folder })

test('works with a running application, without affecting its screens, and without one', async () => {
  const app = startEverchart(data.folder)
  await app.ready
  const { client } = await newOwner({ newClient: () => createClient(app.url()) })
  const names = ['Ada', 'Ben', 'Cleo'].map((firstName) => ({ firstName, lastName: 'Tester' }))
  for (const name of names) expect((await client.post('/api/patients', name)).status).toBe(201)

  const rebuilt = await projections('rebuild', '--all', '--diff', '--yes')
  expect([rebuilt.err, rebuilt.code]).toEqual(['', 0])
  expect(rebuilt.out).toMatch(/patients: no row would change\npatients: done, \d+ events/)
  expect((await client.post('/api/patients', { firstName: 'Dora', lastName: 'Tester' })).status).toBe(201)
  const patients = (await client.get('/api/patients')).body as { firstName: string }[]
  expect(patients.map(({ firstName }) => firstName).toSorted()).toEqual(['Ada', 'Ben', 'Cleo', 'Dora'])
  await waitUntilHealthy(app.url())

  app.kill('SIGTERM')
  await expectStopped(app)
  const listed = await projections('--json')
  expect(listed.code).toBe(0)
  expect(JSON.parse(listed.out)).toEqual(
    expect.arrayContaining([expect.objectContaining({ name: 'patients', rows: 4, lag: 0, state: 'running' })]),
  )
  const proved = await projections('verify', '--all')
  expect(proved.code).toBe(0)
  expect(proved.out.match(/all rows are correct/g)?.length).toBeGreaterThan(6)
  expect(await findDatabaseProcesses(data.folder)).toEqual([])
})

test('refuses invalid arguments in one line and starts nothing', async () => {
  const { code, out, err } = await projections('rebuild', 'unknown')
  expect([code, out]).toEqual([2, ''])
  expect(err).toMatch(/^There is no read model unknown: there are [^\n]+\n$/)
  expect(await findDatabaseProcesses(data.folder)).toEqual([])
})
