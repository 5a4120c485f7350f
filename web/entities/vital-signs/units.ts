import type { VitalSign } from '#contracts/values/vital-signs.ts'

/** The units that a practice works with: those of the United States, or metric ones. */
export type Units = 'us' | 'metric'

/** Returns the units of a practice by the country of its own phone number (+1: North America); those of the United States without one. */
export function findUnits(practicePhone: string): Units {
  const dialed = practicePhone.replaceAll(/[^\d+]/g, '')
  return dialed.startsWith('+') && !dialed.startsWith('+1') ? 'metric' : 'us'
}

/** A unit of one value: its symbol, the decimal places that are shown, and how a shown number becomes the stored one. */
type Unit = {
  symbol: string
  decimals: number
  toStored: (shown: number) => number
  toShown: (stored: number) => number
}

const same = (symbol: string, decimals = 0): Unit => ({
  symbol,
  decimals,
  toStored: (shown) => shown,
  toShown: (stored) => stored,
})
const kilogramsPerPound = 0.45359237
const centimetersPerInch = 2.54

const pressure = same('mmHg')
const perMinute = same('/min')

const common = {
  systolicPressure: pressure,
  diastolicPressure: pressure,
  heartRate: perMinute,
  respiratoryRate: perMinute,
  oxygenSaturation: same('%'),
  painScore: same('of 10'),
}

const unitsOf: Record<Units, Record<VitalSign, Unit>> = {
  us: {
    ...common,
    temperature: {
      symbol: '°F',
      decimals: 1,
      toStored: (shown) => ((shown - 32) * 5) / 9,
      toShown: (stored) => (stored * 9) / 5 + 32,
    },
    weight: {
      symbol: 'lb',
      decimals: 1,
      toStored: (shown) => shown * kilogramsPerPound,
      toShown: (stored) => stored / kilogramsPerPound,
    },
    height: {
      symbol: 'in',
      decimals: 1,
      toStored: (shown) => shown * centimetersPerInch,
      toShown: (stored) => stored / centimetersPerInch,
    },
  },
  metric: { ...common, temperature: same('°C', 1), weight: same('kg', 1), height: same('cm', 1) },
}

/** Returns the symbol of the unit of a value. */
export const getUnit = (name: VitalSign, units: Units): string => unitsOf[units][name].symbol

/** Returns a stored value in the units of a practice, rounded as it is shown. */
export function toShown(name: VitalSign, stored: number, units: Units): number {
  const { decimals, toShown: convert } = unitsOf[units][name]
  return Number(convert(stored).toFixed(decimals))
}

/** Returns a number in the units of a practice as it is stored; NaN for a text that is none. A comma may stand for the point. */
export const toStored = (name: VitalSign, text: string, units: Units): number =>
  unitsOf[units][name].toStored(Number(text.trim().replace(',', '.')))

/** Formats a stored value with its unit: "98.6 °F", "72/min". */
export function formatValue(name: VitalSign, stored: number, units: Units): string {
  const { symbol } = unitsOf[units][name]
  const isClose = symbol.startsWith('/') || symbol === '%'
  return `${toShown(name, stored, units)}${isClose ? '' : ' '}${symbol}`
}
