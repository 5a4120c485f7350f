/** Returns at most seven ticks for an axis of counts: whole numbers from 0 to the maximum or slightly above. */
export function computeIntegerTicks(highest: number): number[] {
  const rough = highest / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? 1)
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, index) => index * step)
}
