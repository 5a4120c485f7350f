/** Returns the minutes after midnight of a local time, HH:mm. */
export function parseMinutes(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

const pad = (n: number) => String(n).padStart(2, '0')

/** Formats minutes after midnight as HH:mm; values outside a day wrap around. */
export function toTimeString(minutes: number): string {
  const within = ((minutes % 1440) + 1440) % 1440
  return `${pad(Math.floor(within / 60))}:${pad(within % 60)}`
}
