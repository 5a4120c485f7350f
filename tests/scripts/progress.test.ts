import { PassThrough } from 'node:stream'
import { expect, test, vi } from 'vitest'

type Options = {
  title: string
  measure?: () => number
  stream: NodeJS.WritableStream & { isTTY?: boolean; columns?: number }
  environment: Record<string, string>
}
const file = new URL('../../scripts/progress.mjs', import.meta.url).href
const { formatProgress, showProgress } = (await import(file)) as {
  formatProgress(title: string, seconds: number, share?: number, columns?: number): string
  showProgress(options: Options): () => number
}

function createStream(isTTY: boolean) {
  const stream: PassThrough & { isTTY?: boolean } = Object.assign(new PassThrough(), { isTTY })
  return { stream, readAll: () => String(stream.read() ?? '') }
}

/** Runs a step for some seconds of a clock that the test moves, and returns what was written. */
function show(isTTY: boolean, seconds: number, environment: Record<string, string> = {}): string {
  vi.useFakeTimers()
  try {
    const { stream, readAll } = createStream(isTTY)
    let share = 0
    const end = showProgress({ title: 'Installing', measure: () => (share += 0.1), stream, environment })
    vi.advanceTimersByTime(seconds * 1_000)
    expect(end()).toBe(seconds)
    vi.advanceTimersByTime(10_000)
    expect(end()).toBe(seconds + 10)
    return readAll()
  } finally {
    vi.useRealTimers()
  }
}

test('rewrites one line on a terminal, and leaves the title', () => {
  const lines = show(true, 1).split('\r\u001B[2K')
  expect(lines).toEqual([
    '',
    'Installing [##----------------------] 10 %, 0 s',
    'Installing [#####-------------------] 20 %, 0 s',
    'Installing [#######-----------------] 30 %, 1 s',
    'Installing [##########--------------] 40 %, 1 s',
    'Installing [############------------] 50 %, 1 s',
    'Installing\n',
  ])
})

test.each([
  [false, {}],
  [true, { TERM: 'dumb' }],
  [true, { CI: 'true' }],
])('writes whole lines where none can be rewritten: %s, %j', (isTTY, environment) => {
  expect(show(isTTY, 11, environment)).toBe('Installing\n  still running, 5 s\n  still running, 10 s\n')
})

test('fits a narrow terminal, and bounds the share', () => {
  expect(formatProgress('Installing packages (about a minute, once)', 3, 0.5, 40)).toHaveLength(39)
  expect(formatProgress('Building', 3)).toBe('Building 3 s')
  expect(formatProgress('Installing', 3, 1.2)).toBe('Installing [########################] 100 %, 3 s')
})
