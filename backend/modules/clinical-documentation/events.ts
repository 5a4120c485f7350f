import { z } from 'zod'
import { DocumentType } from '#contracts/values/clinical-documentation.ts'
import { AppointmentId, ClinicalDocumentId, ProviderId, UserId } from '#contracts/values/ids.ts'
import { phi } from '#eventstore/event.ts'
import { defineRecordEvents } from '#modules/records/events.ts'

const codes = () => phi(z.array(z.string()))

/** The history of a clinical document. */
export const documentEvents = defineRecordEvents({
  names: { created: 'ClinicalDocumentDrafted', changed: 'ClinicalDocumentChanged' },
  id: { field: 'documentId', schema: ClinicalDocumentId },
  patient: 'required',
  statusField: 'status',
  fields: {
    appointmentId: AppointmentId.nullable(),
    providerId: ProviderId.nullable(),
    documentType: DocumentType,
    addendumTo: ClinicalDocumentId.nullable(),
    soapNote: phi(
      z.strictObject({ subjective: z.string(), objective: z.string(), assessment: z.string(), plan: z.string() }),
    ),
    icdCodes: codes(),
    cptCodes: codes(),
    /** True for a draft that a model has written. */
    aiGenerated: z.boolean(),
  },
  initialStatus: 'draft',
  transitions: {
    ClinicalDocumentSubmitted: { from: ['draft'], to: 'review', data: {} },
    ClinicalDocumentReturned: { from: ['review'], to: 'draft', data: {} },
    ClinicalDocumentApproved: {
      from: ['review'],
      to: 'approved',
      data: { approvedBy: UserId, approvedAt: z.iso.datetime() },
    },
  },
})

export const ClinicalDocumentEvent = documentEvents.schema
export type ClinicalDocumentEvent = z.infer<typeof ClinicalDocumentEvent>
