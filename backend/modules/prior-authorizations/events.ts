import { z } from 'zod'
import { PriorAuthorizationId, ProviderId } from '#contracts/values/ids.ts'
import { AuthorizationPriority, AuthorizationRequestType } from '#contracts/values/prior-authorizations.ts'
import { phi } from '#eventstore/event.ts'
import { defineRecordEvents } from '#modules/records/events.ts'

const optionalText = () => phi(z.string().nullable())
const codes = () => phi(z.array(z.string()))

/** The history of a request to an insurer to approve a treatment. */
export const authorizationEvents = defineRecordEvents({
  names: { created: 'PriorAuthorizationDrafted', changed: 'PriorAuthorizationChanged' },
  id: { field: 'authorizationId', schema: PriorAuthorizationId },
  patient: 'required',
  statusField: 'status',
  fields: {
    providerId: ProviderId.nullable(),
    insuranceProvider: phi(z.string()),
    requestType: AuthorizationRequestType,
    procedureCodes: codes(),
    diagnosisCodes: codes(),
    priority: AuthorizationPriority,
    clinicalData: optionalText(),
    notes: optionalText(),
    authorizationNumber: optionalText(),
    /** The last day of the authorization. */
    expiresAt: phi(z.iso.date().nullable()),
    denialReason: optionalText(),
  },
  initialStatus: 'draft',
  transitions: {
    PriorAuthorizationSubmitted: { from: ['draft'], to: 'submitted', data: { submittedAt: z.iso.datetime() } },
    PriorAuthorizationApproved: {
      from: ['submitted', 'appealed', 'expired'],
      to: 'approved',
      data: { authorizationNumber: phi(z.string()), expiresAt: phi(z.iso.date()), approvedAt: z.iso.datetime() },
    },
    PriorAuthorizationDenied: {
      from: ['submitted', 'appealed'],
      to: 'denied',
      data: { denialReason: phi(z.string()) },
    },
    PriorAuthorizationAppealed: { from: ['denied'], to: 'appealed', data: {} },
    /** The day after the last day has begun. */
    PriorAuthorizationExpired: { from: ['approved'], to: 'expired', data: { expiresAt: phi(z.iso.date()) } },
  },
})

export type AuthorizationDefinition = (typeof authorizationEvents)['definition']

export const PriorAuthorizationEvent = authorizationEvents.schema
export type PriorAuthorizationEvent = z.infer<typeof PriorAuthorizationEvent>
