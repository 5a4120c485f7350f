import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTemporaryDataDir, expectStopped, startEverchart } from '#tests/support/everchart-process.ts'
import { runTool } from '#tests/support/run-tool.ts'
import { waitUntil } from '#tests/support/wait-until.ts'

let data: Awaited<ReturnType<typeof createTemporaryDataDir>>
beforeEach(async () => (data = await createTemporaryDataDir()))
afterEach(() => data.remove())

const run = (tool: string, ...args: string[]) => runTool(tool, args, { DATA_DIR: data.folder })

const listOutbox = async () =>
  JSON.parse((await run('outbox', 'list', '--json')).out) as { file: string; to: string; subject: string }[]

test('the outbox shows the confirmation, and the export the address that was confirmed', async () => {
  expect(await run('outbox')).toEqual({ code: 0, out: `There are no messages in ${data.folder}/outbox\n`, err: '' })
  const app = startEverchart(data.folder)
  await app.ready
  const header = 'email,confirmed_at,unsubscribe_url'
  expect(await run('newsletter', 'export')).toEqual({ code: 0, out: `${header}\n`, err: '' })

  await fetch(`${app.url()}/api/newsletter/subscribe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'Reader@example.test' }),
  })
  await waitUntil(listOutbox, (messages) => messages.length === 1)
  const table = await run('outbox')
  expect(table.out).toMatch(/^ +date +to +subject +file\n1 +\d{4}-\S+Z +Reader@example\.test +Confirm your newsletter/)
  const shown = await run('outbox', 'show', '1')
  expect(shown.out).toContain('To: Reader@example.test\nSubject: Confirm your newsletter subscription\n')
  const link = /http:\S+\/newsletter\/confirm\/\S+/.exec(shown.out)?.[0] ?? ''
  // Not confirmed yet.
  expect((await run('newsletter', 'export')).out).toBe(`${header}\n`)
  expect((await fetch(link, { method: 'POST' })).status).toBe(200)

  const listed = await run('newsletter', 'export')
  expect(listed).toMatchObject({ code: 0, err: '' })
  const [first, row = '', rest] = listed.out.split('\n')
  expect([first, rest]).toEqual([header, ''])
  expect(row).toMatch(/^Reader@example\.test,\d{4}-\d\d-\d\dT[\d:.]+Z,http:\/\/\S+\/newsletter\/leave\/\S+$/)
  const revealed = await run('events', 'search', '--type', 'DataRevealed')
  expect(JSON.parse(revealed.out)).toMatchObject({
    data: { command: 'newsletter export', by: expect.any(String), shown: [expect.stringMatching(/^newsletter-/)] },
  })

  const leave = new URL(row.split(',')[2] ?? '').pathname
  expect((await fetch(app.url() + leave, { method: 'POST' })).status).toBe(200)
  expect((await run('newsletter', 'export')).out).toBe(`${header}\n`)
  app.kill('SIGTERM')
  await expectStopped(app)
  expect((await run('newsletter', 'export')).out).toBe(`${header}\n`)
})

test('invalid arguments are refused in one line', async () => {
  for (const [tool, args, line] of [
    ['newsletter', [], 'Name a command: npm run newsletter -- --help prints the usage\n'],
    ['newsletter', ['import'], 'There is no command import: npm run newsletter -- --help prints the usage\n'],
    ['outbox', ['show', '0'], '0 is not the number of a message: npm run outbox -- --help prints the usage\n'],
  ] as const)
    expect(await run(tool, ...args)).toEqual({ code: 2, out: '', err: line })
  expect(await run('outbox', 'show', '7')).toEqual({
    code: 1,
    out: '',
    err: 'There is no message 7: npm run outbox lists them\n',
  })
})
