import { clinicalFields, type PatientFields } from '#contracts/patients.ts'
import { requirePermission } from '#http/access.ts'
import { invalidRequest } from '#http/problems.ts'
import type { Member } from '#http/session.ts'
import type { Services } from '../module.ts'
import { readPhone } from './phone.ts'
import { getCallerLocale } from './practice-locale.ts'

/**
 * Returns typed fields as they are stored, with the phone number as `readPhone` stores it, and the practice's local date. Fields that
 * were not sent are left out. Throws 403 for clinical fields without `clinical:write`, 422 for an invalid phone number.
 */
export function normalizeFields<Fields extends Partial<PatientFields>>(
  { clock }: Pick<Services, 'clock'>,
  caller: Member,
  typed: Fields,
) {
  for (const field of clinicalFields) if (typed[field] !== undefined) requirePermission(caller, 'clinical:write', field)
  const { today, country } = getCallerLocale(caller, clock())
  const fields = withoutUndefined(typed)
  if (!typed.phone) return { fields, today }
  const reading = readPhone(typed.phone, country)
  if (reading.status === 'refused') throw invalidRequest([{ path: 'phone', message: reading.message }])
  return { fields: { ...fields, phone: reading.stored }, today }
}

const withoutUndefined = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Field in keyof Fields]: Exclude<Fields[Field], undefined>
  }
