const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

/** How somebody sees a screen: with light or dark colours, at a desk or on a phone. */
export const everyLook = [
  { name: 'light', dark: false, ...desk },
  { name: 'dark', dark: true, ...desk },
  { name: 'phone', dark: false, ...phone },
  { name: 'phone, dark', dark: true, ...phone },
]

/** Two that have nothing in common, which is what there is time for with every change; all four with `EVERY_LOOK=1`. */
export const looks = everyLook.filter(
  ({ dark, width }) => process.env['EVERY_LOOK'] === '1' || dark === (width === 390),
)
