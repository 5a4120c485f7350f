import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  findDatabaseProcesses,
  startEverchart,
  createTemporaryDataDir,
  expectStopped,
  waitUntilHealthy,
} from '#tests/support/everchart-process.ts'
import { runTool } from '#tests/support/run-tool.ts'

let data: Awaited<ReturnType<typeof createTemporaryDataDir>>
beforeEach(async () => (data = await createTemporaryDataDir()))
afterEach(() => data.remove())

const jobs = (...args: string[]) => runTool('jobs', args, { DATA_DIR: data.folder })

test('works with and without a running application', async () => {
  const app = startEverchart(data.folder)
  await app.ready
  expect(await jobs()).toEqual({ code: 0, out: 'There are no dead letters\n', err: '' })
  await waitUntilHealthy(app.url())
  const id = '7d0f3a52-9c1b-4d57-8a63-2f6e1b0c9d84'
  expect(await jobs('retry', id)).toEqual({
    code: 1,
    out: '',
    err: `There is no dead letter ${id}: npm run jobs lists them\n`,
  })
  app.kill('SIGTERM')
  await expectStopped(app)
  expect(await jobs('list', '--json')).toMatchObject({ code: 0, out: '[]\n' })
  expect(await findDatabaseProcesses(data.folder)).toEqual([])
})

test('refuses invalid arguments in one line and starts nothing', async () => {
  const { code, out, err } = await jobs('retry', 'everything')
  expect([code, out]).toEqual([2, ''])
  expect(err).toMatch(/^everything is not the id of a job: [^\n]+\n$/)
  expect(await findDatabaseProcesses(data.folder)).toEqual([])
})
