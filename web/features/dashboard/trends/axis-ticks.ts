/** Marks of an axis of counts, from 0 to the highest or a little above: at most seven, and nobody is half an appointment. */
export function computeIntegerTicks(highest: number): number[] {
  const rough = highest / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? 1)
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, index) => index * step)
}
