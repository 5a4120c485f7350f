import { z } from 'zod'

/** The status of a measurement. One that was entered in error stays in the record, and counts nowhere. */
export const VitalSignsStatus = z.enum(['recorded', 'entered-in-error'], { error: 'Please choose a status' })
export type VitalSignsStatus = z.infer<typeof VitalSignsStatus>

/**
 * The values of a measurement with the limits within which they can be entered, and their decimal places. Pressures are in mmHg, rates
 * per minute, the temperature in °C, the saturation in %, the weight in kg, the height in cm, the pain from 0 to 10.
 */
export const vitalSignLimits = {
  systolicPressure: { min: 40, max: 300, decimals: 0 },
  diastolicPressure: { min: 20, max: 200, decimals: 0 },
  heartRate: { min: 20, max: 300, decimals: 0 },
  respiratoryRate: { min: 4, max: 80, decimals: 0 },
  temperature: { min: 25, max: 45, decimals: 2 },
  oxygenSaturation: { min: 50, max: 100, decimals: 0 },
  weight: { min: 0.2, max: 650, decimals: 2 },
  height: { min: 20, max: 280, decimals: 1 },
  painScore: { min: 0, max: 10, decimals: 0 },
} as const

export type VitalSign = keyof typeof vitalSignLimits

/** The names of the values, in the order in which they are shown. */
export const vitalSigns = Object.keys(vitalSignLimits) as readonly VitalSign[]

/** Measured values; null where one was not measured. */
export type VitalValues = Readonly<Record<VitalSign, number | null>>

/** A problem of a measurement as a whole: the field and a message. */
type Problem = { field: VitalSign; message: string }

/** Returns the first problem of values that are each within their limits; null for a measurement that can be stored. */
export function findVitalSignsProblem(values: VitalValues): Problem | null {
  const { systolicPressure, diastolicPressure } = values
  if (vitalSigns.every((name) => values[name] === null))
    return { field: 'systolicPressure', message: 'Please enter at least one value' }
  if (systolicPressure === null && diastolicPressure === null) return null
  if (systolicPressure === null) return { field: 'systolicPressure', message: 'Please enter the upper value, too' }
  if (diastolicPressure === null) return { field: 'diastolicPressure', message: 'Please enter the lower value, too' }
  return diastolicPressure < systolicPressure
    ? null
    : { field: 'diastolicPressure', message: 'Must be lower than the upper value' }
}

/** Returns the body mass index in kg/m², rounded to one decimal place; null without weight or height. */
export function computeBodyMassIndex({ weight, height }: Pick<VitalValues, 'weight' | 'height'>): number | null {
  if (weight === null || height === null) return null
  return Math.round((weight / (height / 100) ** 2) * 10) / 10
}

/** A value beside the usual ones of adults. */
export type VitalLevel = 'very-low' | 'low' | 'usual' | 'high' | 'very-high'

/** Inclusive limits of the levels; a level without a limit does not exist. */
type Limits = { veryLow?: number; low?: number; high?: number; veryHigh?: number }

/**
 * The levels of adults. Blood pressure: categories of the ACC/AHA guideline of 2017 (high from 130/80, crisis above 180/120), low
 * below 90/60 (NHLBI). Heart rate, respiratory rate, temperature and saturation: values with points, and with the most points in
 * one direction, of the National Early Warning Score 2 (Royal College of Physicians, 2017). Body mass index: WHO. Pain: moderate from 4, severe from 7 on the
 * numeric rating scale.
 */
const adultLimits: Partial<Record<VitalSign | 'bodyMassIndex', Limits>> = {
  systolicPressure: { low: 89, high: 130, veryHigh: 181 },
  diastolicPressure: { low: 59, high: 80, veryHigh: 121 },
  heartRate: { veryLow: 40, low: 50, high: 91, veryHigh: 131 },
  respiratoryRate: { veryLow: 8, low: 11, high: 21, veryHigh: 25 },
  temperature: { veryLow: 35, low: 36, high: 38.1, veryHigh: 39.1 },
  oxygenSaturation: { veryLow: 91, low: 95 },
  bodyMassIndex: { low: 18.4, high: 25, veryHigh: 30 },
  painScore: { high: 4, veryHigh: 7 },
}

/** The age in years from which the levels apply: children have others at each age. */
export const adultAge = 18

/** Returns the level of a value of an adult. */
export function findAdultLevel(name: VitalSign | 'bodyMassIndex', value: number): VitalLevel {
  const { veryLow = -Infinity, low = -Infinity, high = Infinity, veryHigh = Infinity } = adultLimits[name] ?? {}
  if (value <= veryLow) return 'very-low'
  if (value >= veryHigh) return 'very-high'
  if (value <= low) return 'low'
  return value >= high ? 'high' : 'usual'
}
