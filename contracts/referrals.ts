import { z } from 'zod'
import { recordEndpoints, recordMeta, recordPatient, recordRevision } from './records.ts'
import { CalendarDate } from './values/dates.ts'
import { PatientId, ProviderId, ReferralId } from './values/ids.ts'
import { ReferralStatus, ReferralUrgency } from './values/referrals.ts'
import { line, optionalLine, optionalText, text } from './values/text.ts'

/**
 * A request to a specialist to see a patient. `appointmentDate` is the day with the specialist, `reportReceivedOn` that of the
 * report, both YYYY-MM-DD.
 */
export const Referral = z.object({
  id: ReferralId,
  ...recordPatient,
  referringProviderId: ProviderId.nullable(),
  specialtyType: z.string(),
  reasonForReferral: z.string(),
  urgencyLevel: ReferralUrgency,
  insuranceProvider: z.string().nullable(),
  coveredSpecialists: z.array(z.string()),
  selectedSpecialistInfo: z.string().nullable(),
  appointmentScheduled: z.boolean(),
  appointmentDate: z.string().nullable(),
  referralStatus: ReferralStatus,
  followUpRequired: z.boolean(),
  reportReceivedOn: z.string().nullable(),
  notes: z.string().nullable(),
  ...recordMeta,
})
export type Referral = z.infer<typeof Referral>

const fields = {
  referringProviderId: ProviderId.nullable(),
  specialtyType: line(100).pipe(z.string().min(1, 'Please enter a specialty')),
  reasonForReferral: text(2_000).pipe(z.string().min(1, 'Please enter the reason')),
  urgencyLevel: ReferralUrgency,
  insuranceProvider: optionalLine(200),
  coveredSpecialists: z
    .array(line(200).pipe(z.string().min(1, 'Please enter a name')))
    .max(20, 'At most 20 specialists'),
  selectedSpecialistInfo: optionalText(500),
  appointmentDate: CalendarDate.nullable(),
  followUpRequired: z.boolean(),
  notes: optionalText(2_000),
}

export const NewReferral = z.strictObject({
  patientId: PatientId,
  ...fields,
  referringProviderId: fields.referringProviderId.default(null),
  urgencyLevel: fields.urgencyLevel.default('routine'),
  insuranceProvider: fields.insuranceProvider.default(null),
  coveredSpecialists: fields.coveredSpecialists.default([]),
  selectedSpecialistInfo: fields.selectedSpecialistInfo.default(null),
  appointmentDate: fields.appointmentDate.default(null),
  followUpRequired: fields.followUpRequired.default(true),
  notes: fields.notes.default(null),
})

export const ReferralChange = z.strictObject({
  ...z.strictObject(fields).partial().shape,
  referralStatus: ReferralStatus.optional(),
  ...recordRevision,
})

const calls = recordEndpoints({
  path: '/api/referrals',
  id: ReferralId,
  read: 'patients:read',
  write: 'patients:write',
  status: ReferralStatus,
  filters: { urgencyLevel: ReferralUrgency.optional() },
  reply: Referral,
  add: NewReferral,
  change: ReferralChange,
})

/** Lists referrals, newest first. `search` matches the patient's name and the specialty. */
export const listReferrals = calls.list

/** The records of a filtered list as a CSV file, newest first, at most 10,000. */
export const exportReferrals = calls.exportCsv

/** A referral with its history, newest first. */
export const getReferral = calls.get

/** Adds a referral that is not sent yet. */
export const addReferral = calls.add

/**
 * Changes a referral or its status: pending, sent (to a specialist), scheduled (with the day), completed, or cancelled. 409
 * `already-sent` for the reason of a referral that was sent; 409 `changed-meanwhile` when another user has changed it since
 * `revision`.
 */
export const changeReferral = calls.change
