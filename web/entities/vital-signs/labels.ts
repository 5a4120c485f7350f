import type { VitalSigns } from '#contracts/vital-signs.ts'
import type { VitalLevel, VitalSign } from '#contracts/values/vital-signs.ts'
import { formatValue, type Units } from './units.ts'

/** Display names of the values. */
export const vitalSignLabels: Record<VitalSign, string> = {
  systolicPressure: 'Blood pressure, upper',
  diastolicPressure: 'Blood pressure, lower',
  heartRate: 'Heart rate',
  respiratoryRate: 'Respiratory rate',
  temperature: 'Temperature',
  oxygenSaturation: 'Oxygen saturation',
  weight: 'Weight',
  height: 'Height',
  painScore: 'Pain',
}

/** Display names of the levels. */
export const levelLabels: Record<VitalLevel, string> = {
  'very-low': 'Very low',
  low: 'Low',
  usual: 'Usual',
  high: 'High',
  'very-high': 'Very high',
}

type Values = Pick<VitalSigns, VitalSign>

/** Formats a blood pressure, "124/82 mmHg"; null without one. */
export const formatPressure = ({
  systolicPressure,
  diastolicPressure,
}: Pick<Values, 'systolicPressure' | 'diastolicPressure'>): string | null =>
  systolicPressure === null || diastolicPressure === null ? null : `${systolicPressure}/${diastolicPressure} mmHg`

const others = ['heartRate', 'temperature', 'oxygenSaturation', 'respiratoryRate', 'weight', 'height'] as const

/** Formats the values of a measurement in one line: "124/82 mmHg, 72/min, 98.6 °F". */
export function formatValues(values: Values, units: Units): string {
  const parts = others.flatMap((name) => (values[name] === null ? [] : [formatValue(name, values[name], units)]))
  const pain = values.painScore === null ? [] : [`pain ${values.painScore} of 10`]
  return [formatPressure(values) ?? [], parts, pain].flat().join(', ')
}
