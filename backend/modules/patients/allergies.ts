import type { AllergiesStatus, PatientFields } from '#contracts/patients.ts'

type Allergies = Pick<PatientFields, 'allergies' | 'allergiesStatus'>
/** Allergies as sent or stored, where each field may be missing. Null after erasure. */
type PartialAllergies = {
  allergies?: readonly string[] | undefined
  allergiesStatus?: AllergiesStatus | null | undefined
}

const emptyStatus = (status: AllergiesStatus | null | undefined): AllergiesStatus =>
  status === 'none-known' ? 'none-known' : 'unknown'

/** Completes stored allergies: older events have no status, and only a list with entries counts as listed. */
export const readStatus = ({ allergies, allergiesStatus }: PartialAllergies): AllergiesStatus =>
  allergies && allergies.length > 0 ? 'listed' : emptyStatus(allergiesStatus)

/**
 * Applies sent allergies to recorded ones. A list alone implies its status: with entries it is listed, and emptied it is
 * unknown again. Returns null when a sent status contradicts the list.
 */
export function applyAllergies(before: Allergies, sent: PartialAllergies): Allergies | null {
  const allergies = [...(sent.allergies ?? before.allergies)]
  const { allergiesStatus: status } = sent
  if (status && (status === 'listed') !== allergies.length > 0) return null
  return { allergies, allergiesStatus: readStatus({ allergies, allergiesStatus: status ?? before.allergiesStatus }) }
}
