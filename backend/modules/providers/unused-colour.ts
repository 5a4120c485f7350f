import type { Provider } from '#contracts/providers.ts'
import { Colour } from '#contracts/values/colours.ts'

/** Returns the first color that no active provider has; teal when all are in use. */
export function findUnusedColour(providers: readonly Provider[]): Colour {
  const used = new Set(providers.filter(({ active }) => active).map(({ colour }) => colour))
  return Colour.options.find((colour) => !used.has(colour)) ?? 'teal'
}
