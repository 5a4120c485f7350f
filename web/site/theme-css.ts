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
 * page can be dark in either theme (`.deep`). Browsers of before 2024 do not know such values; they show the light theme.
 */
export function createThemeCss(): string {
  const light = [...shapes, ...colors].map((name) => declare(name, lightTheme[name]))
  const themed = colors.map((name) => declare(name, `light-dark(${lightTheme[name]},${darkTheme[name]})`))
  const both = `:root{color-scheme:light dark;${themed.join('')}}.deep{color-scheme:dark}`
  return `:root{color-scheme:light;${light.join('')}}@supports(color:light-dark(red,red)){${both}}`
}
