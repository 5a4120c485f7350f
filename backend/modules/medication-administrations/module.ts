import * as contract from '#contracts/medication-administrations.ts'
import { toLocalDate } from '#contracts/values/calendar.ts'
import type { PatientId } from '#contracts/values/ids.ts'
import { findAdministrationProblem } from '#contracts/values/medication-administrations.ts'
import { fieldError } from '#http/problems.ts'
import { findChartConflicts } from '#modules/assistant/rules/public.ts'
import type { Module, Services } from '#modules/module.ts'
import { findPatientRecords } from '#modules/patients/public.ts'
import {
  recordRoutes,
  requireAppointmentOfPatient,
  requireNotInFuture,
  requireProviderIn,
} from '#modules/records/requests/public.ts'
import { administrationDecider } from './decider.ts'
import { administrationEvents, MedicationAdministrationEvent } from './events.ts'
import { administrationsProjection } from './projection.ts'
import { administrationReader } from './queries.ts'

/** Throws 422 for a medication to which the record of the patient names an allergy. */
async function requireNoAllergy(
  services: Pick<Services, 'db' | 'keyStore'>,
  practiceId: string,
  patientId: PatientId,
  medication: string,
): Promise<void> {
  const [patient] = await findPatientRecords(services, practiceId, [patientId])
  const [conflict] = findChartConflicts({ allergies: patient?.allergies ?? [], medications: [medication] })
  if (conflict)
    throw fieldError(
      'medication',
      `The record names an allergy to ${conflict.allergen}. Say so below if it was given nevertheless.`,
    )
}

/** Medications and vaccines that were given to patients. */
export const medicationAdministrations: Module = {
  name: 'medication-administrations',
  events: [MedicationAdministrationEvent],
  projections: [administrationsProjection],
  liveUpdates: [{ kinds: ['records'], events: [MedicationAdministrationEvent] }],
  routes: (services) =>
    recordRoutes(services, {
      noun: 'administration',
      events: administrationEvents,
      decider: administrationDecider,
      reader: administrationReader,
      endpoints: {
        list: contract.listMedicationAdministrations,
        exportCsv: contract.exportMedicationAdministrations,
        get: contract.getMedicationAdministration,
        add: contract.recordMedicationAdministration,
        change: contract.changeMedicationAdministration,
      },
      async check(_, { caller, now }, fields, patientId, before) {
        const { administeredAt, appointmentId, orderedBy, despiteAllergy, medication } = fields
        requireNotInFuture(administeredAt, now, 'administeredAt')
        const problem = findAdministrationProblem(fields, toLocalDate(administeredAt, caller.timezone))
        if (problem) throw fieldError(problem.field, problem.message)
        await requireProviderIn(services, caller, orderedBy, 'orderedBy')
        await requireAppointmentOfPatient(services, caller, { appointmentId, patientId }, 'appointmentId')
        // An allergy that was found by it is added to the record later.
        if (!despiteAllergy && patientId !== null && medication !== before?.medication)
          await requireNoAllergy(services, caller.practiceId, patientId, medication)
      },
      complete: ({ now }, { administeredAt }) => ({ administeredAt: (administeredAt as string | null) ?? now }),
    }),
}
