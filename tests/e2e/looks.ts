const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

/** Appearances to test: light or dark theme, desktop or phone. */
export const everyLook = [
  { name: 'light', dark: false, ...desk },
  { name: 'dark', dark: true, ...desk },
  { name: 'phone', dark: false, ...phone },
  { name: 'phone, dark', dark: true, ...phone },
]

/** Two appearances that differ in both respects, to save time; all four with `EVERY_LOOK=1`. */
export const looks = everyLook.filter(
  ({ dark, width }) => process.env['EVERY_LOOK'] === '1' || dark === (width === 390),
)
