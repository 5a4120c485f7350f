import { userInfo } from 'node:os'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Client, createClient } from '#tests/support/client.ts'
import { type EverchartProcess, startEverchart, createTemporaryDataDir } from '#tests/support/everchart-process.ts'
import { newOwner } from '#tests/support/practice.ts'
import { runTool } from '#tests/support/run-tool.ts'

let home: Awaited<ReturnType<typeof createTemporaryDataDir>>
let app: EverchartProcess
let owner: Awaited<ReturnType<typeof newOwner>>
let client: Client
let patientId: string

beforeAll(async () => {
  home = await createTemporaryDataDir()
  app = startEverchart(home.folder)
  const url = await app.ready
  owner = await newOwner({ newClient: () => createClient(url) })
  client = owner.client
  patientId = (await client.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper' })).body.id
  await client.patch(`/api/patients/${patientId}`, { phone: '617 555 0142' })
})
afterAll(() => home.remove())

const events = (...args: string[]) => runTool('events', args, { DATA_DIR: home.folder })
const linesOf = (out: string) =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

it('shows an auditor who did what while the application runs, without patient names', async () => {
  const { code, out } = await events('search', '--user', owner.user.id, '--practice', owner.practice.id)
  expect(code).toBe(0)
  expect(out).not.toMatch(/Grace|Hopper|5550142/)
  const lines = linesOf(out)
  expect(lines.map(({ type }) => type)).toEqual(expect.arrayContaining(['PatientRegistered', 'PatientContactChanged']))
  expect(lines.at(-1)).toMatchObject({
    type: 'PatientContactChanged',
    actor: { kind: 'user', userId: owner.user.id, role: 'staff' },
    stream: `patient-${patientId}`,
    revision: 1,
    data: { patientId, to: { phone: '[hidden]' } },
  })
})

it('shows one stream, and reveals PHI on request', async () => {
  const { out } = await events('stream', `patient-${patientId}`, '--reveal')
  expect(linesOf(out)).toMatchObject([{ data: { firstName: 'Grace' } }, { data: { to: { phone: '+16175550142' } } }])
})

it('records what was revealed, by whom and when, once per stream and never the values', async () => {
  const findReveals = async () => {
    const { out } = await events('search', '--type', 'DataRevealed')
    return out === '' ? [] : linesOf(out)
  }
  const before = await findReveals()
  expect((await events('search', '--type', 'PatientContactChanged', '--reveal')).out).toContain('5550142')
  await events('search', '--type', 'PatientContactChanged')
  const recorded = (await findReveals()).slice(before.length)
  expect(recorded).toMatchObject([
    {
      actor: { kind: 'process', name: 'command-line' },
      data: { command: 'events search', by: userInfo().username, shown: [`patient-${patientId}`] },
    },
  ])
  expect(JSON.stringify(recorded)).not.toMatch(/Grace|Hopper|5550142/)
})

it('filters by type and time', async () => {
  const [registered, ...others] = linesOf((await events('search', '--type', 'UserRegistered')).out)
  expect(others).toEqual([])
  // An instant includes the events of its own second and minute.
  for (const since of [`${registered.at.slice(0, 19)}Z`, `${registered.at.slice(0, 16)}Z`])
    expect(linesOf((await events('search', '--type', 'UserRegistered', '--since', since)).out)).toEqual([registered])
  expect((await events('search', '--since', '2999-01-01')).out).toBe('')
  const mistyped = await events('search', '--type', 'PatientRegistred')
  expect(mistyped).toEqual({
    code: 2,
    out: '',
    err: 'There is no event PatientRegistred: npm run events -- --help prints the usage\n',
  })
})

it.each([[], ['serach'], ['stream'], ['search', 'x'], ['search', '--since', 'yesterday'], ['search', '--nonsense']])(
  'refuses invalid arguments with one line and code 2: %s %s %s',
  async (...args) => {
    const { code, out, err } = await events(...args.filter((word) => word !== undefined))
    expect([code, out, err.trim().split('\n').length]).toEqual([2, '', 1])
  },
)

it('works without the application', async () => {
  app.kill('SIGTERM')
  await app.ended
  expect(linesOf((await events('search', '--type', 'PracticeSetUp')).out)).toHaveLength(1)
})
