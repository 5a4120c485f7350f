import type { MedicationAdministration } from '#contracts/medication-administrations.ts'
import type { VitalSign } from '#contracts/values/vital-signs.ts'
import type { VitalSigns } from '#contracts/vital-signs.ts'
import { formatValues } from '#web/entities/vital-signs/labels.ts'
import type { Units } from '#web/entities/vital-signs/units.ts'

type Recorded = {
  /** The reason for which the appointment was booked; null where it is not known. */
  reason: string | null
  /** Measured at the appointment, newest first. */
  measured: readonly Pick<VitalSigns, VitalSign>[]
  /** Given at the appointment, newest first. */
  given: readonly Pick<MedicationAdministration, 'medication' | 'dose' | 'site' | 'lotNumber'>[]
}

/** Returns the parts with which the note of an appointment begins: its reason, and what was measured and given, in that order. */
export function startNote(
  { reason, measured, given }: Recorded,
  units: Units,
): { subjective: string; objective: string } {
  const values = measured.toReversed().map((measurement) => `Vital signs: ${formatValues(measurement, units)}`)
  const administrations = given
    .toReversed()
    .map(({ medication, dose, site, lotNumber }) =>
      [`Given: ${medication}`, dose, site, lotNumber && `lot ${lotNumber}`].filter(Boolean).join(', '),
    )
  return {
    subjective: reason ? `Reason: ${reason}` : '',
    objective: [...values, ...administrations].join('\n'),
  }
}
