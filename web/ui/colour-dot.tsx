import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import type { CSSProperties } from 'react'
import type { Colour } from '#contracts/values/colours.ts'

const useStyles = makeStyles({
  dot: {
    display: 'inline-block',
    width: '12px',
    height: '12px',
    marginRight: '8px',
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: 'var(--dot)',
  },
})

/** The colors of providers and appointment types as theme tokens. */
export const colourTokens: Readonly<Record<Colour, string>> = {
  teal: tokens.colorBrandStroke1,
  blue: tokens.colorPaletteBlueBorderActive,
  purple: tokens.colorPalettePurpleBorderActive,
  pink: tokens.colorPalettePinkBorderActive,
  red: tokens.colorPaletteRedBorderActive,
  orange: tokens.colorPalettePumpkinBorderActive,
  gold: tokens.colorPaletteGoldBorderActive,
  green: tokens.colorPaletteGreenBorderActive,
}

/** Color of a provider or an appointment type, always shown beside the name. */
export function ColourDot({ colour, className }: { colour: Colour; className?: string | undefined }) {
  const style = { '--dot': colourTokens[colour] } as CSSProperties
  return <span aria-hidden="true" className={mergeClasses(useStyles().dot, className)} style={style} />
}
