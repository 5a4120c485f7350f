import { z } from 'zod'
import { recordEndpoints, recordMeta, recordPatient, recordRevision } from './records.ts'
import { AppointmentId, PatientId, VitalSignsId } from './values/ids.ts'
import { optionalText } from './values/text.ts'
import { type VitalSign, vitalSignLimits, VitalSignsStatus } from './values/vital-signs.ts'

const measured = z.number().nullable()

/**
 * The vital signs of a patient at an instant (`measuredAt`, UTC), in the units of `values/vital-signs.ts`. `bodyMassIndex` follows from
 * weight and height of the same measurement.
 */
export const VitalSigns = z.object({
  id: VitalSignsId,
  ...recordPatient,
  appointmentId: AppointmentId.nullable(),
  measuredAt: z.string(),
  systolicPressure: measured,
  diastolicPressure: measured,
  heartRate: measured,
  respiratoryRate: measured,
  temperature: measured,
  oxygenSaturation: measured,
  weight: measured,
  height: measured,
  painScore: measured,
  bodyMassIndex: measured,
  notes: z.string().nullable(),
  vitalSignsStatus: VitalSignsStatus,
  ...recordMeta,
})
export type VitalSigns = z.infer<typeof VitalSigns>

/** Limits in both kinds of units, where a practice may type others than those that are stored. */
const limitTexts: Partial<Record<VitalSign, string>> = {
  temperature: 'from 25 to 45 °C (77 to 113 °F)',
  weight: 'from 0.2 to 650 kg (0.5 to 1433 lb)',
  height: 'from 20 to 280 cm (8 to 110 in)',
}

/** Returns the schema of a value that can be entered, rounded to its decimal places; null where it was not measured. */
function value(name: VitalSign) {
  const { min, max, decimals } = vitalSignLimits[name]
  const range = `Please enter a number ${limitTexts[name] ?? `from ${min} to ${max}`}`
  return z
    .number({ error: range })
    .min(min, range)
    .max(max, range)
    .transform((entered) => Math.round(entered * 10 ** decimals) / 10 ** decimals)
    .nullable()
}

const instant = 'Please enter a date and a time'

const fields = {
  appointmentId: AppointmentId.nullable(),
  measuredAt: z.iso.datetime({ offset: true, error: instant }).transform((text) => new Date(text).toISOString()),
  systolicPressure: value('systolicPressure'),
  diastolicPressure: value('diastolicPressure'),
  heartRate: value('heartRate'),
  respiratoryRate: value('respiratoryRate'),
  temperature: value('temperature'),
  oxygenSaturation: value('oxygenSaturation'),
  weight: value('weight'),
  height: value('height'),
  painScore: value('painScore'),
  notes: optionalText(500),
}

export const NewVitalSigns = z.strictObject({
  patientId: PatientId,
  appointmentId: fields.appointmentId.default(null),
  /** Null for now. */
  measuredAt: fields.measuredAt.nullable().default(null),
  systolicPressure: fields.systolicPressure.default(null),
  diastolicPressure: fields.diastolicPressure.default(null),
  heartRate: fields.heartRate.default(null),
  respiratoryRate: fields.respiratoryRate.default(null),
  temperature: fields.temperature.default(null),
  oxygenSaturation: fields.oxygenSaturation.default(null),
  weight: fields.weight.default(null),
  height: fields.height.default(null),
  painScore: fields.painScore.default(null),
  notes: fields.notes.default(null),
})

export const VitalSignsChange = z.strictObject({
  ...z.strictObject(fields).partial().shape,
  vitalSignsStatus: VitalSignsStatus.optional(),
  ...recordRevision,
})

const calls = recordEndpoints({
  path: '/api/vital-signs',
  id: VitalSignsId,
  read: 'clinical:read',
  write: 'clinical:write',
  status: VitalSignsStatus,
  filters: { appointmentId: AppointmentId.optional() },
  reply: VitalSigns,
  add: NewVitalSigns,
  change: VitalSignsChange,
})

/** Lists measurements, the last entered first. `search` matches the patient's name. */
export const listVitalSigns = calls.list

/** The measurements of a filtered list as a CSV file, the last entered first, at most 10,000. */
export const exportVitalSigns = calls.exportCsv

/** A measurement with its history, newest first. */
export const getVitalSigns = calls.get

/** Records a measurement with at least one value, now or at an earlier instant. */
export const recordVitalSigns = calls.add

/**
 * Corrects a measurement, or marks it as entered in error, or as recorded again. 409 `entered-in-error` for a correction of one that is
 * marked; 409 `changed-meanwhile` when another user has changed it since `revision`.
 */
export const changeVitalSigns = calls.change
