import { callDecider } from '#modules/call-logs/decider.ts'
import { callEvents } from '#modules/call-logs/events.ts'
import { callsProjection } from '#modules/call-logs/projection.ts'
import { documentDecider } from '#modules/clinical-documentation/decider.ts'
import { documentEvents } from '#modules/clinical-documentation/events.ts'
import { documentsProjection } from '#modules/clinical-documentation/projection.ts'
import { communicationDecider } from '#modules/patient-communications/decider.ts'
import { communicationEvents } from '#modules/patient-communications/events.ts'
import { communicationsProjection } from '#modules/patient-communications/projection.ts'
import { authorizationDecider } from '#modules/prior-authorizations/decider.ts'
import { authorizationEvents } from '#modules/prior-authorizations/events.ts'
import { authorizationsProjection } from '#modules/prior-authorizations/projection.ts'
import { referralDecider } from '#modules/referrals/decider.ts'
import { referralEvents } from '#modules/referrals/events.ts'
import { referralsProjection } from '#modules/referrals/projection.ts'
import { stockItemDecider } from '#modules/stock-items/decider.ts'
import { stockItemEvents } from '#modules/stock-items/events.ts'
import { stockItemsProjection } from '#modules/stock-items/projection.ts'
import { orderDecider } from '#modules/supply-orders/decider.ts'
import { orderEvents } from '#modules/supply-orders/events.ts'
import { ordersProjection } from '#modules/supply-orders/projection.ts'
import { administrationDecider } from '#modules/medication-administrations/decider.ts'
import { administrationEvents } from '#modules/medication-administrations/events.ts'
import { administrationsProjection } from '#modules/medication-administrations/projection.ts'
import { vitalSignsDecider } from '#modules/vital-signs/decider.ts'
import { vitalSignsEvents } from '#modules/vital-signs/events.ts'
import { vitalSignsProjection } from '#modules/vital-signs/projection.ts'
import type { Decider } from '#eventstore/decider.ts'
import type { RecordDefinition } from '#modules/records/events.ts'
import type { AnyProjection } from '#projections/projection.ts'

const userId = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0005'

/** A record as the common tests see it: dates are YYYY-MM-DD, and `today` of the tests is 2026-11-26. */
export type Noun = {
  noun: string
  path: string
  // oxlint-disable-next-line typescript/no-explicit-any -- commands and states differ by noun
  decider: Decider<any, any, any, any>
  definition: RecordDefinition
  projection: AnyProjection
  /** The body of a request that adds one, beside the patient. */
  body: Record<string, unknown>
  /** The fields of a new one as they are stored. */
  fields: Record<string, unknown>
  /** A change of fields that is allowed while it is new. */
  change: Record<string, unknown>
  /** A text of the body that is PHI, and so never readable in a table that need not be searched; null without PHI. */
  secret: string | null
  /** A way through its statuses: what the request sends beside the status, and the data of the event. */
  way: readonly { status: string; body?: Record<string, unknown>; event: string; data?: Record<string, unknown> }[]
  /** The value by which a search finds it; null when it is found by its patient only. */
  searched: string | null
}

const noValues = {
  appointmentId: null,
  diastolicPressure: null,
  systolicPressure: null,
  heartRate: null,
  respiratoryRate: null,
  temperature: null,
  oxygenSaturation: null,
  weight: null,
  height: null,
  painScore: null,
}

/** The records of the automation hub, and the vital signs. */
export const nouns: readonly Noun[] = [
  {
    noun: 'administration',
    path: '/api/medication-administrations',
    decider: administrationDecider,
    definition: administrationEvents.definition,
    projection: administrationsProjection,
    body: {
      kind: 'vaccine',
      medication: 'Influenza vaccine',
      dose: '0.5 mL',
      route: 'intramuscular',
      lotNumber: 'UJ-4417',
      expiresOn: '2027-06-30',
      administeredAt: '2026-11-20T14:00:00.000Z',
      site: 'Left deltoid, after a faint',
    },
    fields: {
      kind: 'vaccine',
      medication: 'Influenza vaccine',
      dose: '0.5 mL',
      route: 'intramuscular',
      site: 'Left deltoid, after a faint',
      manufacturer: null,
      lotNumber: 'UJ-4417',
      expiresOn: '2027-06-30',
      administeredAt: '2026-11-20T14:00:00.000Z',
      appointmentId: null,
      orderedBy: null,
      despiteAllergy: false,
      reaction: null,
      notes: null,
    },
    change: { reaction: 'Sore arm' },
    secret: 'Left deltoid, after a faint',
    way: [
      { status: 'entered-in-error', event: 'MedicationAdministrationRetracted' },
      { status: 'given', event: 'MedicationAdministrationReinstated' },
    ],
    searched: 'uj-44',
  },
  {
    noun: 'measurement',
    path: '/api/vital-signs',
    decider: vitalSignsDecider,
    definition: vitalSignsEvents.definition,
    projection: vitalSignsProjection,
    body: {
      measuredAt: '2026-11-20T14:00:00.000Z',
      temperature: 38.25,
      heartRate: 88,
      notes: 'After climbing the stairs',
    },
    fields: {
      ...noValues,
      measuredAt: '2026-11-20T14:00:00.000Z',
      temperature: 38.25,
      heartRate: 88,
      notes: 'After climbing the stairs',
    },
    change: { heartRate: 84, systolicPressure: 121, diastolicPressure: 79 },
    secret: 'After climbing the stairs',
    way: [
      { status: 'entered-in-error', event: 'VitalSignsRetracted' },
      { status: 'recorded', event: 'VitalSignsReinstated' },
    ],
    searched: null,
  },
  {
    noun: 'prior authorization',
    path: '/api/prior-authorizations',
    decider: authorizationDecider,
    definition: authorizationEvents.definition,
    projection: authorizationsProjection,
    body: {
      insuranceProvider: 'Summit Mutual',
      requestType: 'imaging',
      procedureCodes: ['73721'],
      diagnosisCodes: ['M23.51'],
      priority: 'urgent',
      clinicalData: 'Locked knee since Monday',
    },
    fields: {
      providerId: null,
      insuranceProvider: 'Summit Mutual',
      requestType: 'imaging',
      procedureCodes: ['73721'],
      diagnosisCodes: ['M23.51'],
      priority: 'urgent',
      clinicalData: 'Locked knee since Monday',
      notes: null,
      authorizationNumber: null,
      expiresAt: null,
      denialReason: null,
    },
    change: { priority: 'routine', notes: 'Faxed twice' },
    secret: 'Locked knee since Monday',
    way: [
      { status: 'submitted', event: 'PriorAuthorizationSubmitted', data: { submittedAt: '2026-11-26T10:00:00.000Z' } },
      {
        status: 'denied',
        body: { denialReason: 'Not necessary' },
        event: 'PriorAuthorizationDenied',
        data: { denialReason: 'Not necessary' },
      },
      { status: 'appealed', event: 'PriorAuthorizationAppealed' },
      {
        status: 'approved',
        body: { authorizationNumber: 'PA-2207', expiresAt: '2099-12-31' },
        event: 'PriorAuthorizationApproved',
        data: { authorizationNumber: 'PA-2207', expiresAt: '2099-12-31', approvedAt: '2026-11-26T10:00:00.000Z' },
      },
    ],
    searched: 'summit',
  },
  {
    noun: 'call',
    path: '/api/call-logs',
    decider: callDecider,
    definition: callEvents.definition,
    projection: callsProjection,
    body: {
      callerPhone: '(617) 555-0144',
      callDuration: 185,
      callIntent: 'Refill',
      callNotes: 'Asked for her inhaler',
      transcription: 'I am out of breath',
      followUpRequired: true,
      followUpOwner: 'Front desk',
      followUpDueOn: '2026-11-27',
    },
    fields: {
      callerPhone: '(617) 555-0144',
      callDirection: 'inbound',
      callStatus: 'completed',
      callDuration: 185,
      callIntent: 'Refill',
      transcription: 'I am out of breath',
      handledByAi: false,
      transferredToHuman: false,
      transferredTo: null,
      callNotes: 'Asked for her inhaler',
      followUpRequired: true,
      followUpOwner: 'Front desk',
      followUpDueOn: '2026-11-27',
    },
    change: { followUpOwner: 'Nurse Avery' },
    secret: 'Asked for her inhaler',
    way: [
      { status: 'done', event: 'CallFollowUpFinished' },
      { status: 'open', event: 'CallFollowUpReopened' },
    ],
    searched: '0144',
  },
  {
    noun: 'document',
    path: '/api/clinical-documentation',
    decider: documentDecider,
    definition: documentEvents.definition,
    projection: documentsProjection,
    body: {
      soapNote: { subjective: 'Knee pain', objective: 'Effusion', assessment: 'Meniscus tear', plan: 'MRI' },
      icdCodes: ['M23.51'],
      cptCodes: ['99213'],
    },
    fields: {
      appointmentId: null,
      providerId: null,
      documentType: 'soap-note',
      addendumTo: null,
      soapNote: { subjective: 'Knee pain', objective: 'Effusion', assessment: 'Meniscus tear', plan: 'MRI' },
      icdCodes: ['M23.51'],
      cptCodes: ['99213'],
      aiGenerated: false,
    },
    change: { soapNote: { subjective: 'Knee pain', objective: 'Effusion', assessment: 'Meniscus tear', plan: 'Rest' } },
    secret: 'Meniscus tear',
    way: [
      { status: 'review', event: 'ClinicalDocumentSubmitted' },
      { status: 'draft', event: 'ClinicalDocumentReturned' },
      { status: 'review', event: 'ClinicalDocumentSubmitted' },
      {
        status: 'approved',
        event: 'ClinicalDocumentApproved',
        data: { approvedBy: userId, approvedAt: '2026-11-26T10:00:00.000Z' },
      },
    ],
    searched: null,
  },
  {
    noun: 'referral',
    path: '/api/referrals',
    decider: referralDecider,
    definition: referralEvents.definition,
    projection: referralsProjection,
    body: {
      specialtyType: 'Orthopedics',
      reasonForReferral: 'Suspected meniscus tear',
      urgencyLevel: 'urgent',
      coveredSpecialists: ['Dr. Lee', 'Dr. Okafor'],
    },
    fields: {
      referringProviderId: null,
      specialtyType: 'Orthopedics',
      reasonForReferral: 'Suspected meniscus tear',
      urgencyLevel: 'urgent',
      insuranceProvider: null,
      coveredSpecialists: ['Dr. Lee', 'Dr. Okafor'],
      selectedSpecialistInfo: null,
      appointmentDate: null,
      followUpRequired: true,
      notes: null,
    },
    change: { urgencyLevel: 'routine', notes: 'Prefers mornings' },
    secret: 'Suspected meniscus tear',
    way: [
      {
        status: 'sent',
        body: { selectedSpecialistInfo: 'Dr. Lee, Harbor Orthopedics' },
        event: 'ReferralSent',
        data: { selectedSpecialistInfo: 'Dr. Lee, Harbor Orthopedics' },
      },
      {
        status: 'scheduled',
        body: { appointmentDate: '2099-01-15' },
        event: 'ReferralScheduled',
        data: { appointmentDate: '2099-01-15' },
      },
      { status: 'completed', event: 'ReferralCompleted', data: { reportReceivedOn: '2026-11-26' } },
      { status: 'pending', event: 'ReferralReopened' },
      { status: 'cancelled', event: 'ReferralCancelled' },
    ],
    searched: 'orthop',
  },
  {
    noun: 'order',
    path: '/api/supply-orders',
    decider: orderDecider,
    definition: orderEvents.definition,
    projection: ordersProjection,
    body: {
      supplierName: 'Harbor Medical',
      orderItems: [{ name: 'Gloves, size M', quantity: 10, unitPriceCents: 8_99 }],
      expectedDelivery: '2026-12-01',
    },
    fields: {
      supplierName: 'Harbor Medical',
      orderNumber: null,
      orderItems: [{ name: 'Gloves, size M', quantity: 10, unitPriceCents: 8_99, receivedQuantity: 0 }],
      isAutomatic: false,
      expectedDelivery: '2026-12-01',
      trackingNumber: null,
      notes: null,
    },
    change: { notes: 'Leave at the back door' },
    secret: null,
    way: [
      { status: 'ordered', event: 'SupplyOrderPlaced', data: { orderedBy: userId, orderedOn: '2026-11-26' } },
      { status: 'delivered', event: 'SupplyOrderDelivered', data: { deliveredOn: '2026-11-26' } },
    ],
    searched: 'harbor',
  },
  {
    noun: 'item',
    path: '/api/stock-items',
    decider: stockItemDecider,
    definition: stockItemEvents.definition,
    projection: stockItemsProjection,
    body: {
      name: 'Bandages',
      supplierName: 'Fairview Supplies',
      quantityOnHand: 40,
      reorderThreshold: 10,
      reorderQuantity: 50,
      unitPriceCents: 1_25,
    },
    fields: {
      name: 'Bandages',
      supplierName: 'Fairview Supplies',
      quantityOnHand: 40,
      reorderThreshold: 10,
      reorderQuantity: 50,
      unitPriceCents: 1_25,
      autoReorderEnabled: false,
      notes: null,
    },
    change: { quantityOnHand: 35 },
    secret: null,
    way: [
      { status: 'retired', event: 'StockItemRetired' },
      { status: 'active', event: 'StockItemRestored' },
    ],
    searched: 'bandages',
  },
  {
    noun: 'message',
    path: '/api/patient-communications',
    decider: communicationDecider,
    definition: communicationEvents.definition,
    projection: communicationsProjection,
    body: {
      communicationType: 'phone',
      direction: 'inbound',
      subject: 'Refill',
      messageContent: 'Needs her inhaler before Friday',
    },
    fields: {
      communicationType: 'phone',
      direction: 'inbound',
      subject: 'Refill',
      messageContent: 'Needs her inhaler before Friday',
      priority: 'normal',
      sentBy: userId,
      automatedMessage: false,
      relatedAppointmentId: null,
    },
    change: { priority: 'high' },
    secret: 'Needs her inhaler before Friday',
    way: [
      { status: 'read', event: 'PatientCommunicationRead' },
      { status: 'answered', event: 'PatientCommunicationAnswered' },
      { status: 'sent', event: 'PatientCommunicationReopened' },
      { status: 'failed', event: 'PatientCommunicationFailed' },
    ],
    searched: null,
  },
]
