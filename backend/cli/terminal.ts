/** The input and output of a command-line tool. */
export type Terminal = {
  /** Prints a line of the result. */
  out(line: string): void
  /** Prints a line of progress or an error. */
  err(line: string): void
  /** Redraws the progress bar; null ends it. Null itself if the output is not a terminal. */
  bar: ((line: string | null) => void) | null
  /** Asks a yes/no question. Null if the input is not a terminal. */
  ask: ((question: string) => Promise<boolean>) | null
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  /** The operating system account of the caller. */
  account: string
}

/** Misuse of the command line. The message is printed as one line; exit code 2. */
export class UsageError extends Error {}

type ProgressUpdate = { events?: number; share: number; perSecond?: number; secondsLeft?: number | null }

const barWidth = 24
const barIntervalMs = 100
const lineIntervalMs = 5_000

/** Creates a progress display: a bar in a terminal, otherwise one line every five seconds. */
export function createProgressDisplay({ bar, err }: Pick<Terminal, 'bar' | 'err'>, name: string) {
  let shown = bar ? 0 : Date.now()
  return {
    show(step: string, { events, share, perSecond, secondsLeft }: ProgressUpdate): void {
      if (Date.now() - shown < (bar ? barIntervalMs : lineIntervalMs)) return
      shown = Date.now()
      const filled = Math.round(share * barWidth)
      const speed = perSecond === undefined ? '' : `  ${perSecond.toLocaleString('en-US')} events/s`
      const left = typeof secondsLeft === 'number' ? `  ${formatDuration(secondsLeft)} left` : ''
      const drawn = bar ? `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] ` : ''
      const percent = `${Math.floor(share * 100)} %`.padStart(5)
      const count = events === undefined ? '' : `  ${formatCount(events, 'event')}`
      const line = `${name}  ${step}  ${drawn}${percent}${count}${speed}${left}`
      if (bar) bar(line)
      else err(line)
    },
    end: () => bar?.(null),
  }
}

/** Formats a count: `1 row`, `1,200 rows`. */
export const formatCount = (count: number, what: string): string =>
  `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`

/** Formats a duration in seconds. */
function formatDuration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return seconds < 5_400 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3_600)} h`
}

/** Formats a table with columns as wide as their content. */
export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = headings.map((heading, index) =>
    Math.max(heading.length, ...rows.map((row) => row[index]?.length ?? 0)),
  )
  return [headings, ...rows].map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
