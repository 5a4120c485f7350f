/** Returns at most seven ticks for an axis of counts: whole numbers from 0 to the maximum or slightly above. */
export function computeIntegerTicks(highest: number): number[] {
  const rough = highest / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? 1)
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, index) => index * step)
}

/** Returns at most seven ticks for an axis from the lowest to the highest value or slightly beyond: multiples of 1, 2 or 5, or of a tenth of them. */
export function computeTicks(lowest: number, highest: number): number[] {
  const rough = Math.max((highest - lowest) / 4, Number.isInteger(lowest) && Number.isInteger(highest) ? 1 : 0.1)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step =
    [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough - 1e-9) ?? 10 * power
  const first = Math.floor(lowest / step - 1e-9)
  const last = Math.ceil(highest / step + 1e-9)
  // Multiples of a tenth have more decimal places than they need.
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toFixed(2)))
}

const maxLabels = 8
/** Width of a character of an axis label at its size of 13 px, and the gap between two labels, in pixels. */
const characterPx = 8
const gapPx = 8

/** Returns every nth label, counted from the last, which is the present: as many as fit beside each other. */
export function selectLabels(labels: readonly string[], widthPx: number): string[] {
  const labelPx = Math.max(0, ...labels.map(({ length }) => length)) * characterPx + gapPx
  const room = Math.min(maxLabels, Math.max(1, Math.floor(widthPx / labelPx)))
  const step = Math.ceil(labels.length / room)
  return labels.filter((_, index) => (labels.length - 1 - index) % step === 0)
}
