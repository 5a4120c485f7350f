import { expect, it } from 'vitest'
import { Colour } from '#contracts/values/colours.ts'
import { darkTheme, lightTheme } from '#web/theme.ts'
import { colourTokens } from '#web/ui/colour-dot.tsx'

/** The backgrounds of lists, and those of appointments in the timeline, which show their status. */
const backgrounds = [
  'colorNeutralBackground1',
  'colorNeutralBackground1Hover',
  'colorNeutralBackground2',
  'colorPaletteBlueBackground2',
  'colorStatusWarningBackground1',
  'colorStatusDangerBackground1',
] as const

/** Returns the relative luminance of a color, `#rrggbb` (WCAG 2.2). */
function computeLuminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function computeContrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [computeLuminance(one), computeLuminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

it.each([
  ['light', lightTheme],
  ['dark', darkTheme],
] as const)('every color stands out from every background of the %s theme', (_, theme) => {
  const themed = theme as unknown as Record<string, string>
  const getColour = (token: string) => themed[token.replace(/^var\(--(.*)\)$/, '$1')] ?? ''
  // WCAG 2.2 asks for 3 to 1 in graphics.
  const pale = Colour.options.flatMap((colour) =>
    backgrounds
      .filter((background) => !(computeContrast(getColour(colourTokens[colour]), getColour(background)) >= 3))
      .map((background) => `${colour} on ${background}`),
  )
  expect(pale).toEqual([])
})
