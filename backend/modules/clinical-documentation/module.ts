import * as contract from '#contracts/clinical-documentation.ts'
import { requirePermission } from '#http/access.ts'
import { fieldError } from '#http/problems.ts'
import type { Module } from '#modules/module.ts'
import { recordRoutes, requireAppointmentOfPatient, requireProviderIn } from '#modules/records/requests/public.ts'
import { recordScope } from '#modules/samples/public.ts'
import { documentDecider } from './decider.ts'
import { ClinicalDocumentEvent, documentEvents } from './events.ts'
import { documentsProjection } from './projection.ts'
import { documentReader } from './queries.ts'

/** Notes of appointments, which a doctor approves, and their addenda. */
export const clinicalDocumentation: Module = {
  name: 'clinical-documentation',
  events: [ClinicalDocumentEvent],
  projections: [documentsProjection],
  liveUpdates: [{ kinds: ['records'], events: [ClinicalDocumentEvent] }],
  routes: (services) =>
    recordRoutes(services, {
      noun: 'document',
      events: documentEvents,
      decider: documentDecider,
      reader: documentReader,
      endpoints: {
        list: contract.listClinicalDocuments,
        exportCsv: contract.exportClinicalDocuments,
        get: contract.getClinicalDocument,
        add: contract.addClinicalDocument,
        change: contract.changeClinicalDocument,
      },
      authorize(caller, { status }) {
        // Doctors prescribe and approve.
        if (status === 'approved') requirePermission(caller, 'prescribing', 'status')
      },
      async check(_, { caller }, { providerId, appointmentId, documentType, addendumTo }, patientId) {
        await requireProviderIn(services, caller, providerId, 'providerId')
        await requireAppointmentOfPatient(services, caller, { appointmentId, patientId }, 'appointmentId')
        if ((documentType === 'addendum') !== (addendumTo !== null))
          throw fieldError('addendumTo', 'An addendum belongs to an approved document')
        if (addendumTo === null) return
        const original = await documentReader.find(services, recordScope(caller), addendumTo)
        if (original?.status !== 'approved' || original.patientId !== patientId)
          throw fieldError('addendumTo', 'There is no such approved document of this patient')
      },
      complete: () => ({ aiGenerated: false }),
      completeMove: ({ caller, now }) => ({ approvedBy: caller.userId, approvedAt: now }),
      derive: ({ status }) => ({ providerReviewed: status === 'approved', providerApproved: status === 'approved' }),
    }),
}
