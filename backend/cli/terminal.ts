/** Where a command-line tool speaks to the person who called it. */
export type Terminal = {
  /** A line of what was asked for. */
  out(line: string): void
  /** A line beside it: progress and refusals. */
  err(line: string): void
  /** Overwrites the line of the progress bar, or ends it with null. Null itself where nobody watches. */
  bar: ((line: string | null) => void) | null
  /** Asks for yes or no. Null where nobody can answer. */
  ask: ((question: string) => Promise<boolean>) | null
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  /** The account of the machine that called. */
  account: string
}

/** Nonsense on the command line: the message is printed as one line, with exit code 2. */
export class UsageError extends Error {}

type ProgressUpdate = { events?: number; share: number; perSecond?: number; secondsLeft?: number | null }

const barWidth = 24
const barIntervalMs = 100
const lineIntervalMs = 5_000

/** Shows how far a step is: as a bar where somebody watches, else as a line every five seconds. */
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

/** A number with what is counted: `1 row`, `1,200 rows`. */
export const formatCount = (count: number, what: string): string =>
  `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`

/** Seconds as people say them. */
function formatDuration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return seconds < 5_400 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3_600)} h`
}

/** Columns under their headings, as wide as what is in them. */
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
