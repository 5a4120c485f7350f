// Progress of a long step of `scripts/prepare.mjs`. It runs before any package is installed, so it imports no package.
const intervalMs = 250
/** On a stream that is not a terminal, such as the log of a build server, every line stays. */
const plainIntervalMs = 5_000
const barWidth = 24
const clearLine = '\r\u001B[2K'

/** Returns whether a stream is a terminal that can rewrite a line. */
const canRewrite = (stream, environment) => stream.isTTY === true && environment.TERM !== 'dumb' && !environment.CI

/**
 * Shows that a step is running until the returned function is called, which returns its whole seconds: one line that is
 * rewritten on a terminal, elsewhere one line every five seconds. `measure` returns the completed share, from 0 to 1.
 */
export function showProgress({ title, measure, stream = process.stdout, environment = process.env }) {
  const startedAt = Date.now()
  const seconds = () => Math.round((Date.now() - startedAt) / 1000)
  const rewrites = canRewrite(stream, environment)
  const update = () => {
    if (!rewrites) return void stream.write(`  still running, ${seconds()} s\n`)
    stream.write(`${clearLine}${formatProgress(title, seconds(), measure?.(), stream.columns)}`)
  }
  if (rewrites) update()
  else stream.write(`${title}\n`)
  const timer = setInterval(update, rewrites ? intervalMs : plainIntervalMs)
  let isOver = false
  return () => {
    clearInterval(timer)
    if (rewrites && !isOver) stream.write(`${clearLine}${title}\n`)
    isOver = true
    return seconds()
  }
}

/** Returns one line that fits the terminal: `Building the web app, 4 s`, with a share also a bar and per cent. */
export function formatProgress(title, seconds, share, columns = 80) {
  const shown = share === undefined ? undefined : Math.min(Math.max(share, 0), 1)
  const done = Math.round((shown ?? 0) * barWidth)
  const bar =
    shown === undefined ? '' : `[${'#'.repeat(done)}${'-'.repeat(barWidth - done)}] ${Math.floor(shown * 100)} %, `
  // A line that reaches the last column would wrap, and only its second half would be rewritten.
  return `${title} ${bar}${seconds} s`.slice(0, Math.max(columns - 1, 0))
}
