import { darkTheme, lightTheme } from '#web/theme.ts'

/** The tokens that the public pages use: they look like the application without loading it. */
const colors = [
  'colorNeutralBackground1',
  'colorNeutralBackground2',
  'colorNeutralBackground3',
  'colorNeutralForeground1',
  'colorNeutralForeground2',
  'colorNeutralForeground3',
  'colorNeutralForegroundOnBrand',
  'colorNeutralStroke1',
  'colorNeutralStroke2',
  'colorNeutralStrokeAccessible',
  'colorBrandBackground',
  'colorBrandBackgroundHover',
  'colorBrandBackground2',
  'colorBrandForeground1',
  'colorBrandForegroundLink',
  'colorBrandStroke1',
  'colorBrandStroke2',
  'colorStatusSuccessBackground1',
  'colorStatusSuccessForeground1',
  'colorStatusDangerBackground1',
  'colorStatusDangerForeground1',
] as const

const shapes = ['borderRadiusMedium', 'borderRadiusLarge', 'borderRadiusXLarge', 'borderRadiusCircular'] as const

const declare = (name: string, value: string | number) => `--${name}:${value};`

/**
 * Returns the tokens of both themes as CSS variables. Their value follows `color-scheme` where it is used, so that a part of a
 * page can be dark in either theme (`.deep`).
 */
export function createThemeCss(): string {
  const themed = colors.map((name) => declare(name, `light-dark(${lightTheme[name]},${darkTheme[name]})`))
  const fixed = shapes.map((name) => declare(name, lightTheme[name]))
  return `:root{color-scheme:light dark;${[...fixed, ...themed].join('')}}.deep{color-scheme:dark}`
}
