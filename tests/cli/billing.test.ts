import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runBilling } from '#cli/billing.ts'
import { parseSandboxWebhook } from '#stand-ins/billing-sandbox/provider.ts'

let folder: string
beforeAll(async () => (folder = await mkdtemp(path.join(os.tmpdir(), 'everchart-billing-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

async function billing(...words: string[]) {
  const [out, err]: [string[], string[]] = [[], []]
  const terminal = {
    out: (line: string) => void out.push(line),
    err: (line: string) => void err.push(line),
    bar: null,
    ask: null,
    signal: new AbortController().signal,
    account: 'tester',
  }
  const openEngine = async () => Promise.reject(new Error('The database was opened'))
  const code = await runBilling(words, terminal, () => parseSandboxWebhook, openEngine)
  return { code, out, err }
}

const id = randomUUID()
const writeTemporaryFile = async (text: string) => {
  const file = path.join(folder, `${randomUUID()}.json`)
  await writeFile(file, text)
  return file
}

it.each([
  [[], /^Name a command: /],
  [['play', id], /^There is no command play/],
  [['replay'], /^missing required argument 'practice': /],
  [['replay', id, id], /^too many arguments/],
  [['replay', 'everything'], /^everything is not the id of a practice/],
  [['replay', id, '--twice'], /^unknown option '--twice'/],
  [['replay', id, '--assume'], /^option '--assume <file>' argument missing/],
  [
    ['replay', id, '--assume', '/nowhere/at-all'],
    /^The file \S+ cannot be read: npm run billing -- --help prints the usage$/,
  ],
] as const)('refuses %j with one line before opening the database', async (words, line) => {
  const { code, out, err } = await billing(...words)
  expect({ code, out, err }).toEqual({ code: 2, out: [], err: [expect.stringMatching(line)] })
  expect(err[0]).not.toContain('\n')
})

it.each([
  ['no json', /^The file \S+ does not contain JSON: npm run billing -- --help prints the usage$/],
  ['{"type": "a"}\n{"type"', /^The file \S+ does not contain JSON: npm run billing -- --help prints the usage$/],
  ['null', /^Message 1 of \S+ is not a webhook/],
  ['[{"id": 5}]', /^Message 1 of \S+ is not a webhook/],
  [
    '{"type": "customer.subscription.updated", "created": 1790000000, "data": {"object": {}}}',
    /^Message 1 of \S+ is not a webhook of the configured payment provider: npm run billing -- --help prints the usage$/,
  ],
])('refuses to assume %s', async (text, line) => {
  const refused = { code: 2, out: [], err: [expect.stringMatching(line)] }
  expect(await billing('replay', id, '--assume', await writeTemporaryFile(text))).toEqual(refused)
})

it('prints its help', async () => {
  const { code, out } = await billing('--help')
  expect([code, out[0]]).toEqual([0, 'Usage: npm run billing -- [options] [command]'])
})
