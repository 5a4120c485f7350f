import { expect, it } from 'vitest'
import { runJobsCli } from '#cli/jobs-commands.ts'

const id = '7d0f3a52-9c1b-4d57-8a63-2f6e1b0c9d84'

it.each([
  [['retry'], "missing required argument 'id'"],
  [['retry', 'x'], 'x is not the id of a job'],
  [['retry', id, id], "too many arguments for 'retry'"],
  [['list', id], "too many arguments for 'list'"],
  [['drop', id], "required option '--why <reason>'"],
  [['drop', id, '--why', ' '], 'drop needs a reason (--why)'],
  [['retry', id, '--json'], "unknown option '--json'"],
  [['forget'], 'There is no command forget'],
  [['--nonsense'], "unknown option '--nonsense'"],
])('%j is refused in one line', async (words, line) => {
  const lines = { out: [] as string[], err: [] as string[] }
  let hasConnected = false
  const terminal = {
    out: (text: string) => void lines.out.push(text),
    err: (text: string) => void lines.err.push(text),
    bar: null,
    ask: null,
    signal: new AbortController().signal,
    account: 'operator',
  }
  const connect = () => {
    hasConnected = true
    return Promise.reject(new Error('the command began'))
  }
  const code = await runJobsCli(words, terminal, connect)
  expect([code, lines.out, hasConnected]).toEqual([2, [], false])
  expect(lines.err).toEqual([expect.stringContaining(line)])
  expect(lines.err[0]).not.toContain('\n')
})
