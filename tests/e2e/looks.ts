import { isLongRun } from '#tests/support/long.ts'

const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

/** Appearances to test: light or dark theme, desktop or phone. */
const everyLook = [
  { name: 'light', dark: false, ...desk },
  { name: 'dark', dark: true, ...desk },
  { name: 'phone', dark: false, ...phone },
  { name: 'phone, dark', dark: true, ...phone },
]

/** The appearances in which every screen is seen: in the gate the dark phone, where most goes wrong, in a long run all four. */
export const screenLooks = everyLook.filter(({ dark, width }) => isLongRun || (dark && width === phone.width))

/** The appearances in which a whole journey is repeated: in the gate only the light desktop. */
export const looks = isLongRun ? everyLook : everyLook.slice(0, 1)
