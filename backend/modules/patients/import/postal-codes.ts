/** The first three digits of the US postal codes (ZIP codes) that begin with 0, with their states (USPS Publication 65). */
const areas: readonly (readonly [first: string, last: string, states: string])[] = [
  ['005', '005', 'ny newyork'],
  ['006', '009', 'pr puertorico vi virginislands usvirginislands'],
  ['010', '027', 'ma massachusetts'],
  ['028', '029', 'ri rhodeisland'],
  ['030', '038', 'nh newhampshire'],
  ['039', '049', 'me maine'],
  ['050', '054', 'vt vermont'],
  ['055', '055', 'ma massachusetts'],
  ['056', '059', 'vt vermont'],
  ['060', '069', 'ct connecticut'],
  ['070', '089', 'nj newjersey'],
  ['090', '099', 'ae armedforceseurope armedforces'],
]

const unitedStates = new Set(['us', 'usa', 'unitedstates', 'unitedstatesofamerica'])

const toKey = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}]/gu, '')

/** A postal code with its leading zeros. `isCertain` when the row's state or country confirms that it is one of the US. */
export type RestoredPostalCode = { postalCode: string; isCertain: boolean }

type AddressArea = { postalCode: string; state: string; country: string }

/**
 * Restores the zeros that a spreadsheet removed from a US postal code: 2139 is 02139, 2139-4307 is 02139-4307. Returns null for
 * any other code, and when the state or the country of the row contradicts.
 */
export function restorePostalCode({ postalCode, state, country }: AddressArea): RestoredPostalCode | null {
  const match = /^(\d{3,4})((?:-\d{4})?)$/.exec(postalCode)
  if (!match) return null
  const [, digits = '', extension = ''] = match
  const zip = digits.padStart(5, '0')
  const area = areas.find(([first, last]) => zip.slice(0, 3) >= first && zip.slice(0, 3) <= last)
  const isUnitedStates = unitedStates.has(toKey(country))
  if (!area || (country !== '' && !isUnitedStates)) return null
  if (state !== '' && !area[2].split(' ').includes(toKey(state))) return null
  return { postalCode: zip + extension, isCertain: state !== '' || isUnitedStates }
}

/** The postal codes of a file that lack their leading zeros. `row` counts as a spreadsheet does. */
export type PostalCodeStatistics = {
  shortened: number
  certain: number
  example: { row: number; value: string; restored: string } | null
}

export const emptyPostalCodeStatistics = (): PostalCodeStatistics => ({ shortened: 0, certain: 0, example: null })

/** Adds the postal code of a row to the statistics, if it lacks its zeros. */
export function recordPostalCode(statistics: PostalCodeStatistics, row: number, area: AddressArea): void {
  const restored = restorePostalCode(area)
  if (!restored) return
  statistics.shortened++
  if (restored.isCertain) statistics.certain++
  statistics.example ??= { row, value: area.postalCode, restored: restored.postalCode }
}
