import { randomUUID } from 'node:crypto'
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import pLimit from 'p-limit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '#contracts/endpoint.ts'
import { hasPermission, type Permission, Role } from '#contracts/values/roles.ts'
import { requestExport, waitForState } from '#tests/modules/data-exports/export-archive.ts'
import { settled } from '#tests/modules/patients/import/import-fixtures.ts'
import { cardDetails, waitForSubscriptionStatus, subscribe } from '#tests/support/billing.ts'
import type { Client } from '#tests/support/client.ts'
import { newMember } from '#tests/support/members.ts'
import {
  askAsEveryone,
  type Callers,
  createCallers,
  type PermissionRow,
  renderPermissions,
} from '#tests/support/permissions.ts'
import { addPasskey, createAuthenticator, signInWithPasskey } from '#tests/support/authenticator.ts'
import { newOwner, newUser, password, practiceDetails, registrationForm } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'

const csv = 'First Name,Last Name,DOB\nImported,Person,1980-01-01\n'

/** Ids of the first practice's records. */
type Known = {
  practiceId: string
  patientId: string
  importId: string
  providerId: string
  appointmentId: string
  seriesId: string
  waitlistEntryId: string
  calendarFeedId: string
  closureId: string
  calendarSecret: string
  clientSecret: string
  invoiceId: string
  memberId: string
  /** A session of the caller. */
  sessionId: string
  /** A passkey of the caller. */
  passkeyId: string
  invitationId: string
  exportId: string
  formId: string
  /** A form whose answers every role may change that changes patients. */
  insuranceFormId: string
  verificationId: string
  authorizationId: string
  callLogId: string
  documentId: string
  referralId: string
  vitalSignsId: string
  administrationId: string
  supplyOrderId: string
  stockItemId: string
  communicationId: string
  confirmationId: string
  insightId: string
}

/**
 * A valid request for every endpoint. A test below fails when one is missing. Each endpoint is then called without a
 * session, from another practice and with every role; docs/product/permissions.md is the table of the replies.
 */
const requests: Record<
  string,
  { params?: (known: Known) => string; query?: string; body?: (unique: string, known: Known) => unknown }
> = {
  'GET /api/health': {},
  'POST /api/register': { body: () => registrationForm() },
  'POST /api/login': { body: () => ({ email: 'unknown@example.test', password: 'wrong password' }) },
  'POST /api/login/passkey/options': {},
  'POST /api/login/passkey': {
    body: () => ({ challengeId: randomUUID(), credential: createAuthenticator('').sign() }),
  },
  'POST /api/logout': {},
  'POST /api/newsletter/subscribe': { body: (unique) => ({ email: `${unique}@example.test`, website: '' }) },
  'GET /api/support': {},
  'GET /api/user': {},
  'POST /api/password/forgot': { body: (unique) => ({ email: `${unique}@example.test` }) },
  'POST /api/password/reset': { body: () => ({ token: 'unknown', password: 'a long enough password' }) },
  'POST /api/account/password': {
    body: () => ({ currentPassword: 'wrong password', password: 'another long password' }),
  },
  'GET /api/account/email': {},
  'POST /api/account/email': { body: (unique) => ({ email: `${unique}@example.test`, password }) },
  'POST /api/account/email/confirm': { body: () => ({ token: 'unknown' }) },
  'POST /api/account/email/proof': {},
  'POST /api/email/confirm': { body: () => ({ token: 'unknown' }) },
  'GET /api/account/profile': {},
  'PATCH /api/account/profile': { body: (unique) => ({ firstName: 'Ada', lastName: unique }) },
  'GET /api/account/sessions': {},
  'DELETE /api/account/sessions': {},
  'GET /api/account/passkeys': {},
  // The right one: five wrong passwords would lock it.
  'POST /api/account/passkeys/options': { body: () => ({ password }) },
  'POST /api/account/passkeys': {
    body: () => ({ challengeId: randomUUID(), name: 'Laptop', credential: createAuthenticator('').create() }),
  },
  'POST /api/account/passkeys/:passkeyId/remove': { params: ({ passkeyId }) => passkeyId, body: () => ({ password }) },
  'GET /api/account/two-factor': {},
  'POST /api/account/two-factor/setup': { body: () => ({ password: 'wrong password' }) },
  'POST /api/account/two-factor/enable': { body: () => ({ code: '000000' }) },
  'POST /api/account/two-factor/recovery-codes': { body: () => ({ password: 'wrong password', code: '000000' }) },
  'POST /api/account/two-factor/disable': { body: () => ({ password: 'wrong password', code: '000000' }) },
  'DELETE /api/account/sessions/:sessionId': { params: ({ sessionId }) => sessionId },
  'POST /api/practices/setup': { body: () => practiceDetails },
  'GET /api/practices/:practiceId': { params: ({ practiceId }) => practiceId },
  'GET /api/practices/:practiceId/time-zone-preview': {
    params: ({ practiceId }) => practiceId,
    query: '?timezone=Europe/Berlin',
  },
  'PATCH /api/practices/:practiceId': { params: ({ practiceId }) => practiceId, body: (unique) => ({ name: unique }) },
  'GET /api/patients': {},
  'POST /api/patients': { body: (unique) => ({ firstName: 'New', lastName: unique }) },
  'GET /api/patients/:patientId': { params: ({ patientId }) => patientId },
  'GET /api/patients/:patientId/appointments': { params: ({ patientId }) => patientId, query: '?period=past' },
  'POST /api/patients/:patientId/appointments/cancel': { params: ({ patientId }) => patientId },
  'PATCH /api/patients/:patientId': { params: ({ patientId }) => patientId, body: (unique) => ({ notes: unique }) },
  'DELETE /api/patients/:patientId': { params: ({ patientId }) => patientId },
  'POST /api/patients/import/preview': { body: () => ({ csv }) },
  'POST /api/patients/import': { body: () => ({ csv }) },
  'GET /api/patients/import': {},
  'GET /api/patients/import/:importId': { params: ({ importId }) => importId },
  'POST /api/patients/import/:importId/undo': { params: ({ importId }) => importId },
  'GET /api/providers': {},
  'GET /api/providers/seats': {},
  'POST /api/providers': { body: (unique) => ({ name: unique }) },
  'PATCH /api/providers/:providerId': { params: ({ providerId }) => providerId, body: (unique) => ({ title: unique }) },
  'GET /api/appointments': { query: '?startDate=2031-03-01T00:00:00Z&endDate=2031-04-01T00:00:00Z' },
  'GET /api/appointments/today': {},
  'GET /api/appointments/busy-days': { query: '?from=2031-03-01&until=2031-03-31' },
  'GET /api/appointments/free-slots': {},
  'GET /api/appointments/search': { query: '?search=tomorrow' },
  'GET /api/appointments/:appointmentId': { params: ({ appointmentId }) => appointmentId },
  'POST /api/appointments': {
    body: (_, { patientId }) => ({ patientId, appointmentDate: '2031-03-05T09:00', type: 'check-up' }),
  },
  'PATCH /api/appointments/:appointmentId': {
    params: ({ appointmentId }) => appointmentId,
    body: (unique) => ({ notes: unique }),
  },
  'DELETE /api/appointments/:appointmentId': { params: ({ appointmentId }) => appointmentId },
  'POST /api/appointments/series/preview': { body: (_, { patientId }) => row(patientId) },
  'POST /api/appointments/series': { body: (_, { patientId }) => ({ ...row(patientId), type: 'check-up' }) },
  'GET /api/appointments/series/:seriesId': { params: ({ seriesId }) => seriesId },
  'PATCH /api/appointments/series/:seriesId': {
    params: ({ seriesId }) => seriesId,
    body: (unique, { appointmentId }) => ({ appointmentId, scope: 'all', notes: unique }),
  },
  'POST /api/appointments/series/:seriesId/cancel': {
    params: ({ seriesId }) => seriesId,
    body: (_, { appointmentId }) => ({ appointmentId, scope: 'following' }),
  },
  'GET /api/calendars/:secret/appointments.ics': { params: ({ calendarSecret }) => calendarSecret },
  'GET /api/calendar-feeds': {},
  'POST /api/calendar-feeds': { body: (unique, { providerId }) => ({ providerId, label: unique }) },
  'DELETE /api/calendar-feeds/:calendarFeedId': { params: ({ calendarFeedId }) => calendarFeedId },
  'GET /api/team': {},
  'POST /api/team/invitations': { body: (unique) => ({ email: `${unique}@example.test`, role: 'nurse' }) },
  'POST /api/team/invitations/:invitationId/resend': { params: ({ invitationId }) => invitationId },
  'DELETE /api/team/invitations/:invitationId': { params: ({ invitationId }) => invitationId },
  'PATCH /api/team/:userId': { params: ({ memberId }) => memberId, body: () => ({ role: 'nurse' }) },
  'POST /api/team/:userId/two-factor/reset': { params: ({ memberId }) => memberId, body: () => ({ password }) },
  'POST /api/team/:userId/transfer-ownership': { params: ({ memberId }) => memberId },
  'GET /api/invitations/:token': { params: () => 'unknown-token' },
  'POST /api/invitations/:token/accept': {
    params: () => 'unknown-token',
    body: () => ({ firstName: 'Robin', lastName: 'Reyes', username: 'robin', password: 'a long enough password' }),
  },
  'GET /api/integrations': {},
  'POST /api/integrations/test': { body: () => ({ name: 'database' }) },
  'GET /api/data-exports': {},
  'POST /api/data-exports': {},
  'POST /api/data-exports/:exportId/retry': { params: ({ exportId }) => exportId },
  'GET /api/data-exports/:exportId/file': { params: ({ exportId }) => exportId },
  'GET /api/safeguards': {},
  'GET /api/system-status': {},
  'GET /api/form-templates': {},
  'GET /api/forms': {},
  'GET /api/forms/counts': {},
  'POST /api/forms': { body: (_, { patientId }) => ({ patientId, formType: 'insurance', title: 'Insurance' }) },
  'GET /api/forms/:formId/chart': { params: ({ formId }) => formId },
  'POST /api/forms/:formId/chart': {
    params: ({ formId }) => formId,
    body: () => ({ field: 'allergies', value: 'Penicillin' }),
  },
  'GET /api/forms/:formId/link': { params: ({ insuranceFormId }) => insuranceFormId },
  'POST /api/forms/:formId/link': { params: ({ insuranceFormId }) => insuranceFormId },
  'DELETE /api/forms/:formId/link': { params: ({ insuranceFormId }) => insuranceFormId },
  'POST /api/patient-forms/look-up': { body: () => ({ token: 'unknown-token' }) },
  'POST /api/patient-forms/open': { body: () => ({ token: 'unknown-token', dateOfBirth: '1957-03-04' }) },
  'POST /api/patient-forms/answers': { body: () => ({ token: 'unknown-token', access: 'unknown' }) },
  'GET /api/forms/:formId': { params: ({ formId }) => formId },
  'PATCH /api/forms/:formId': { params: ({ insuranceFormId }) => insuranceFormId, body: () => ({ formData: {} }) },
  'GET /api/forms/:formId/analysis': { params: ({ formId }) => formId },
  'GET /api/insurance': {},
  'GET /api/insurance/export': {},
  'GET /api/insurance/counts': {},
  'POST /api/insurance/verify': { body: (_, { patientId }) => ({ ...policy, patientId }) },
  'POST /api/insurance/:verificationId/ask': { params: ({ verificationId }) => verificationId },
  'GET /api/insurance/:verificationId': { params: ({ verificationId }) => verificationId },
  'PATCH /api/insurance/:verificationId': {
    params: ({ verificationId }) => verificationId,
    body: (unique) => ({ notes: unique }),
  },
  'GET /api/prior-authorizations': {},
  'GET /api/prior-authorizations/export': {},
  'POST /api/prior-authorizations': {
    body: (unique, { patientId }) => ({ ...newRecords.authorization, patientId, notes: unique }),
  },
  'GET /api/prior-authorizations/:id': { params: ({ authorizationId }) => authorizationId },
  'PATCH /api/prior-authorizations/:id': {
    params: ({ authorizationId }) => authorizationId,
    body: (unique) => ({ notes: unique }),
  },
  'GET /api/call-logs': {},
  'GET /api/call-logs/export': {},
  'POST /api/call-logs': { body: (unique, { patientId }) => ({ ...newRecords.call, patientId, callNotes: unique }) },
  'GET /api/call-logs/:id': { params: ({ callLogId }) => callLogId },
  'PATCH /api/call-logs/:id': { params: ({ callLogId }) => callLogId, body: (unique) => ({ callNotes: unique }) },
  'GET /api/clinical-documentation': {},
  'GET /api/clinical-documentation/export': {},
  'POST /api/clinical-documentation': {
    body: (unique, { patientId }) => ({ soapNote: { ...newRecords.soapNote, plan: unique }, patientId }),
  },
  'GET /api/clinical-documentation/:id': { params: ({ documentId }) => documentId },
  'PATCH /api/clinical-documentation/:id': {
    params: ({ documentId }) => documentId,
    body: (unique) => ({ soapNote: { ...newRecords.soapNote, plan: unique } }),
  },
  'GET /api/vital-signs': {},
  'GET /api/vital-signs/export': {},
  'POST /api/vital-signs': {
    body: (unique, { patientId }) => ({ ...newRecords.measurement, patientId, notes: unique }),
  },
  'GET /api/vital-signs/:id': { params: ({ vitalSignsId }) => vitalSignsId },
  'PATCH /api/vital-signs/:id': { params: ({ vitalSignsId }) => vitalSignsId, body: (unique) => ({ notes: unique }) },
  'GET /api/medication-administrations': {},
  'GET /api/medication-administrations/export': {},
  'POST /api/medication-administrations': {
    body: (unique, { patientId }) => ({ ...newRecords.administration, patientId, notes: unique }),
  },
  'GET /api/medication-administrations/:id': { params: ({ administrationId }) => administrationId },
  'PATCH /api/medication-administrations/:id': {
    params: ({ administrationId }) => administrationId,
    body: (unique) => ({ notes: unique }),
  },
  'GET /api/referrals': {},
  'GET /api/referrals/export': {},
  'POST /api/referrals': { body: (unique, { patientId }) => ({ ...newRecords.referral, patientId, notes: unique }) },
  'GET /api/referrals/:id': { params: ({ referralId }) => referralId },
  'PATCH /api/referrals/:id': { params: ({ referralId }) => referralId, body: (unique) => ({ notes: unique }) },
  'GET /api/supply-orders': {},
  'GET /api/supply-orders/export': {},
  'POST /api/supply-orders': { body: (unique) => ({ ...newRecords.order, notes: unique }) },
  'GET /api/supply-orders/:id': { params: ({ supplyOrderId }) => supplyOrderId },
  'PATCH /api/supply-orders/:id': {
    params: ({ supplyOrderId }) => supplyOrderId,
    body: (unique) => ({ notes: unique }),
  },
  'GET /api/stock-items': {},
  'GET /api/stock-items/export': {},
  'POST /api/stock-items': { body: (unique) => ({ ...newRecords.stockItem, notes: unique }) },
  'GET /api/stock-items/:id': { params: ({ stockItemId }) => stockItemId },
  'PATCH /api/stock-items/:id': { params: ({ stockItemId }) => stockItemId, body: (unique) => ({ notes: unique }) },
  'GET /api/patient-communications': {},
  'GET /api/patient-communications/export': {},
  'POST /api/patient-communications': {
    body: (unique, { patientId }) => ({ ...newRecords.message, patientId, subject: unique }),
  },
  'GET /api/patient-communications/:id': { params: ({ communicationId }) => communicationId },
  'PATCH /api/patient-communications/:id': {
    params: ({ communicationId }) => communicationId,
    body: () => ({ priority: 'high' }),
  },
  'GET /api/appointment-confirmations': {},
  'GET /api/appointment-confirmations/counts': {},
  'GET /api/appointment-confirmations/config': {},
  'GET /api/slot-offers': {},
  'POST /api/appointment-confirmations/config': {
    body: (unique) => ({
      reminderType: 'email',
      reminderTiming: '24h',
      autoReschedule: false,
      customMessage: unique,
    }),
  },
  'GET /api/appointment-confirmations/:confirmationId': { params: ({ confirmationId }) => confirmationId },
  'POST /api/appointment-confirmations/:confirmationId/resend': {
    params: ({ confirmationId }) => confirmationId,
    body: () => ({}),
  },
  'GET /api/automation/stats': {},
  'GET /api/automation/activity': {},
  'GET /api/automation/switches': {},
  'PATCH /api/automation/switches': {
    body: (unique) => ({ automation: 'eligibility', isOn: unique.length % 2 === 0 }),
  },
  'POST /api/automation/estimates': {
    body: (unique) => ({ minutesPerMessage: unique.length, minutesPerForm: 8, hourlyRateCents: 30_00 }),
  },
  'POST /api/ai/chat': { body: () => ({ message: 'How many patients do we have?' }) },
  'GET /api/ai/chat': {},
  'GET /api/ai/chat/history': {},
  'DELETE /api/ai/chat/history': {},
  'GET /api/waitlist': {},
  'PATCH /api/waitlist/:waitlistEntryId': {
    params: ({ waitlistEntryId }) => waitlistEntryId,
    body: (unique) => ({ notes: unique }),
  },
  'POST /api/waitlist': { body: (_, { patientId }) => ({ patientId, type: 'check-up' }) },
  'DELETE /api/waitlist/:waitlistEntryId': { params: ({ waitlistEntryId }) => waitlistEntryId },
  'GET /api/waitlist/booked': { query: '?appointmentId=018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0031' },
  'POST /api/waitlist/:waitlistEntryId/return': { params: ({ waitlistEntryId }) => waitlistEntryId },
  'GET /api/waitlist/candidates': { query: '?start=2031-03-05T09:00&providerId=' },
  'GET /api/appointment-types': {},
  'PATCH /api/appointment-types': {
    body: () => ({ types: { procedure: { fee: 500_00, duration: 60, colour: 'purple' } } }),
  },
  'GET /api/working-hours': { query: '?from=2031-03-01&until=2031-03-31' },
  'GET /api/working-hours/week': {},
  'PATCH /api/working-hours': { body: () => ({ hours: { sunday: null } }) },
  'GET /api/closures': {},
  'POST /api/closures': { body: (unique) => ({ name: unique, from: '2031-12-24', until: '2031-12-26' }) },
  'PATCH /api/closures/:closureId': {
    params: ({ closureId }) => closureId,
    body: (unique) => ({ name: unique, from: '2031-11-27', until: '2031-11-28' }),
  },
  'DELETE /api/closures/:closureId': { params: ({ closureId }) => closureId },
  'GET /api/changes': {},
  'GET /api/sample-data': {},
  'DELETE /api/sample-data': {},
  'GET /api/dashboard/stats': {},
  'GET /api/dashboard/trends': {},
  'GET /api/dashboard/appointments': { query: '?from=2031-03-01&to=2031-06-30' },
  'GET /api/analytics': { query: '?from=2031-03-01&to=2031-06-30' },
  'GET /api/analytics/breakdowns': { query: '?from=2031-03-01&to=2031-06-30' },
  'GET /api/analytics/export': { query: '?from=2031-03-01&to=2031-06-30' },
  'GET /api/analytics/:key/records': { params: () => 'appointment-rate', query: '?from=2031-03-01&to=2031-06-30' },
  'GET /api/ai/insights': {},
  'GET /api/ai/insights/usage': {},
  'POST /api/ai/insights/:insightId/dismiss': { params: ({ insightId }) => insightId },
  'POST /api/ai/insights/:insightId/snooze': { params: ({ insightId }) => insightId, body: () => ({ days: 1 }) },
  'POST /api/ai/insights/:insightId/done': { params: ({ insightId }) => insightId },
  'POST /api/ai/insights/:insightId/reopen': { params: ({ insightId }) => insightId },
  'GET /api/notifications': {},
  // Of no notification: most roles may see none of this practice.
  'POST /api/notifications/read': { body: () => ({ upTo: randomUUID() }) },
  'GET /api/notifications/preferences': {},
  'PATCH /api/notifications/preferences': { body: () => ({ choices: { dailyDigest: true } }) },
  'GET /api/subscription/plans': {},
  'GET /api/subscription/status': {},
  'POST /api/create-subscription': { body: () => ({ planType: 'professional' }) },
  'POST /api/subscription/refresh': {},
  'POST /api/subscription/cancel': {},
  'POST /api/subscription/reactivate': {},
  'POST /api/subscription/change-plan': { body: () => ({ priceId: 'price_sandbox_enterprise' }) },
  'POST /api/billing/portal': {},
  'GET /api/billing/invoice/latest': {},
  'POST /api/billing-sandbox/advance': { body: () => ({ days: 31 }) },
  'POST /api/billing-sandbox/confirm': { body: (_, { clientSecret }) => ({ clientSecret, ...cardDetails }) },
  'GET /api/billing-sandbox/portal': {},
  'GET /api/billing-sandbox/invoices/:invoiceId': { params: ({ invoiceId }) => invoiceId },
  'POST /api/patients/import/:importId/resume': { params: ({ importId }) => importId },
  'GET /api/openapi.json': {},
  'GET /api/docs': {},
  'GET /api/docs/:file.css': { params: () => 'swagger-ui' },
  'GET /api/docs/:file.js': { params: () => 'start' },
}

function row(patientId: string) {
  return { patientId, appointmentDate: '2031-05-05T09:00', recurrence: { every: 1, unit: 'week', count: 2 } }
}

const policy = { insuranceProvider: 'Summit Mutual', policyNumber: 'SM-7741-0093' }

/** Requests that add a record. */
const newRecords = {
  stockItem: {
    name: 'Bandages',
    supplierName: 'Fairview Supplies',
    quantityOnHand: 40,
    reorderThreshold: 10,
    reorderQuantity: 50,
    unitPriceCents: 1_25,
  },
  authorization: { insuranceProvider: 'Summit Mutual', requestType: 'imaging' },
  call: { callerPhone: '(617) 555-0100' },
  soapNote: { subjective: 'kept', objective: '', assessment: '', plan: '' },
  administration: { medication: 'Ibuprofen', dose: '400 mg', route: 'oral', notes: 'kept' },
  measurement: { heartRate: 72, notes: 'kept' },
  referral: { specialtyType: 'Cardiology', reasonForReferral: 'kept' },
  order: { supplierName: 'Harbor Medical', orderItems: [{ name: 'Gloves', quantity: 10, unitPriceCents: 899 }] },
  message: { communicationType: 'phone', direction: 'inbound', messageContent: 'kept' },
}

async function addRecords(owner: Client, patientId: string) {
  const add = async (path: string, body: object) => (await owner.post(`/api/${path}`, body)).body.id as string
  return {
    authorizationId: await add('prior-authorizations', { ...newRecords.authorization, patientId }),
    callLogId: await add('call-logs', { ...newRecords.call, patientId }),
    documentId: await add('clinical-documentation', { soapNote: newRecords.soapNote, patientId }),
    administrationId: await add('medication-administrations', { ...newRecords.administration, patientId }),
    vitalSignsId: await add('vital-signs', { ...newRecords.measurement, patientId }),
    referralId: await add('referrals', { ...newRecords.referral, patientId }),
    supplyOrderId: await add('supply-orders', newRecords.order),
    stockItemId: await add('stock-items', newRecords.stockItem),
    communicationId: await add('patient-communications', { ...newRecords.message, patientId }),
  }
}

const contracts = await Promise.all(globSync('contracts/*.ts').map((file) => import(resolve(file))))
const endpoints = contracts
  .flatMap((contract) => Object.values(contract as Record<string, unknown>))
  .filter(
    (value): value is Endpoint => typeof value === 'object' && value !== null && 'access' in value && 'reply' in value,
  )
const named = endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)
const nonPublic = named.filter(([, { access }]) => access !== 'public')
const practiceEndpoints = nonPublic.filter(([, { access }]) => access !== 'signed-in')
// A figure's `:key` names no record.
const withId = practiceEndpoints.filter(([, { params, path }]) => params && !path.includes('/:key/'))

describe('every endpoint', () => {
  let app: TestApp
  let known: Known
  let owner: Client
  let otherOwner: Client

  beforeAll(async () => {
    app = await startTestApp()
    const first = await newOwner(app)
    owner = first.client
    otherOwner = (await newOwner(app)).client
    const patient = await owner.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper', notes: 'kept' })
    const started = await owner.post('/api/patients/import', { csv })
    const patientId = patient.body.id as string
    const providerId = (await owner.get('/api/providers')).body[0].id as string
    const series = await owner.post('/api/appointments/series', { ...row(patientId), type: 'check-up', notes: 'kept' })
    const waiting = await owner.post('/api/waitlist', { patientId, type: 'check-up' })
    const feed = await owner.post('/api/calendar-feeds', { providerId, label: 'Phone' })
    const thanksgiving = { name: 'Thanksgiving', from: '2031-11-27', until: '2031-11-27' }
    const closure = await owner.post('/api/closures', thanksgiving)
    const invited = await owner.post('/api/team/invitations', { email: 'robin@example.test', role: 'staff' })
    const form = await owner.post('/api/forms', { patientId, formType: 'intake', title: 'Kept' })
    const insuranceForm = await owner.post('/api/forms', { patientId, formType: 'insurance', title: 'Kept' })
    known = {
      practiceId: first.practice.id,
      patientId,
      importId: started.body.importId,
      providerId,
      appointmentId: series.body.appointments[0].id,
      seriesId: series.body.seriesId,
      waitlistEntryId: waiting.body.id,
      calendarFeedId: feed.body.id,
      closureId: closure.body.id,
      calendarSecret: feed.body.path.split('/').at(-2),
      clientSecret: await subscribe(owner),
      invoiceId: '',
      sessionId: randomUUID(),
      passkeyId: randomUUID(),
      memberId: (await newMember(app, first.practice.id, 'nurse')).user.id,
      invitationId: invited.body.invitation.id,
      exportId: await requestExport(owner),
      formId: form.body.id,
      insuranceFormId: insuranceForm.body.id,
      verificationId: '',
      ...(await addRecords(owner, patientId)),
      confirmationId: '',
      insightId: '',
    }
    const completed = await owner.patch(`/api/appointments/${known.appointmentId}`, { status: 'completed' })
    expect(completed.body.fee).not.toBeNull()
    await owner.post('/api/billing-sandbox/advance', { days: 31 })
    await waitForSubscriptionStatus(owner, 'active')
    known.invoiceId = (await owner.get('/api/billing/invoice/latest')).body.invoice_pdf.split('/').at(-1)
    known.verificationId = (await owner.post('/api/insurance/verify', { ...policy, patientId })).body.id
    // An appointment that no request cancels.
    const asked = await owner.post('/api/appointments', {
      patientId,
      appointmentDate: '2031-07-07T09:00',
      type: 'check-up',
    })
    const confirmations = await waitUntil(
      () => owner.get(`/api/appointment-confirmations?appointmentId=${asked.body.id}`),
      ({ body }) => body.length > 0,
    )
    known.confirmationId = confirmations.body[0].id
    // The patient with the series cannot be reached.
    known.insightId = (await owner.get('/api/ai/insights')).body[0].id
    await settled(owner, known.importId)
    await waitForState(owner, known.exportId, 'ready')
  })
  afterAll(() => app.dispose())

  function ask(client: Client, name: string, endpoint: Endpoint, ids: Known = known, otherBody?: object) {
    const { params, body, query = '' } = requests[name] ?? {}
    const ofSlot = query.endsWith('providerId=') ? ids.providerId : ''
    const path = endpoint.path.replace(/:\w+/, () => params?.(ids) ?? '') + query + ofSlot
    if (endpoint.stream) return askStream(client, path)
    return client.request(endpoint.method, path, otherBody ?? body?.(randomUUID(), ids))
  }

  /** Returns the first message of a stream, which never ends by itself. */
  async function askStream(client: Client, path: string) {
    const cut = new AbortController()
    const cookie = client.cookie()
    const response = await fetch(client.url + path, { headers: cookie ? { cookie } : {}, signal: cut.signal })
    const chunk = await response.body?.getReader().read()
    const text = Buffer.from(chunk?.value ?? []).toString()
    cut.abort()
    const problem = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text
    return { status: response.status, headers: response.headers, body: problem, problem }
  }

  it('has a request in this test', () => {
    expect(Object.keys(requests).toSorted()).toEqual(named.map(([name]) => name).toSorted())
  })

  it.each(nonPublic)('%s requires a session', async (name, endpoint) => {
    expect(await ask(app.newClient(), name, endpoint)).toMatchObject({ status: 401, problem: { code: 'signed-out' } })
  })

  it.each(practiceEndpoints)('%s requires a practice', async (name, endpoint) => {
    const { client } = await newUser(app)
    expect(await ask(client, name, endpoint)).toMatchObject({ status: 409, problem: { code: 'practice-required' } })
  })

  // Refused for its plan before that: tests/modules/{insights,insurance}/routes.test.ts.
  const withIdInAnyPlan = withId.filter(([, { access }]) => typeof access !== 'object' || !access.feature)
  it.each(withIdInAnyPlan)('%s is not found by another practice', async (name, endpoint) => {
    const before = await owner.get(`/api/patients/${known.patientId}`)
    expect(await ask(otherOwner, name, endpoint)).toMatchObject({ status: 404, problem: { code: 'not-found' } })
    expect((await owner.get(`/api/patients/${known.patientId}`)).body).toEqual(before.body)
  })

  it.each(withId)('%s is not found under an unknown or malformed id', async (name, endpoint) => {
    for (const id of [randomUUID(), '0', 'x'.repeat(200), "' or 1=1", '..%2f..']) {
      const ids = Object.fromEntries(Object.keys(known).map((name) => [name, id])) as Known
      expect(await ask(owner, name, endpoint, ids)).toMatchObject({ status: 404, problem: { code: 'not-found' } })
    }
  })

  const paidFeatures = practiceEndpoints.filter(([, { access }]) => typeof access === 'object' && access.feature)
  it.each(paidFeatures)('%s is closed to demo users', async (name, endpoint) => {
    expect(await ask(otherOwner, name, endpoint)).toMatchObject({ status: 403, problem: { code: 'upgrade-required' } })
  })

  it.each(practiceEndpoints.filter(([name]) => name.startsWith('GET')))(
    '%s never shows data of another practice',
    async (name, endpoint) => {
      const answer = JSON.stringify((await ask(otherOwner, name, endpoint)).body)
      for (const id of Object.values(known)) expect(answer).not.toContain(id)
      expect(answer).not.toContain('Hopper')
    },
  )

  const addPatient = async () => ({
    patientId: (await owner.post('/api/patients', { firstName: 'Removed', lastName: randomUUID() })).body.id,
  })
  /** Requests that remove what others need, or can remove it only once: each has a target of its own. */
  const removals: Record<string, () => Promise<Partial<Known>>> = {
    'DELETE /api/patients/:patientId': addPatient,
    'POST /api/patients/:patientId/appointments/cancel': addPatient,
    'DELETE /api/calendar-feeds/:calendarFeedId': async () => {
      const { providerId } = known
      return { calendarFeedId: (await owner.post('/api/calendar-feeds', { providerId, label: 'Lost phone' })).body.id }
    },
    'DELETE /api/team/invitations/:invitationId': async () => {
      const invitation = { email: `${randomUUID()}@example.test`, role: 'nurse' }
      return { invitationId: (await owner.post('/api/team/invitations', invitation)).body.invitation.id }
    },
    'DELETE /api/closures/:closureId': async () => {
      const body = { name: randomUUID(), from: '2031-07-04', until: '2031-07-04' }
      return { closureId: (await owner.post('/api/closures', body)).body.id }
    },
    'DELETE /api/waitlist/:waitlistEntryId': async () => {
      const body = { patientId: known.patientId, type: 'check-up' }
      return { waitlistEntryId: (await owner.post('/api/waitlist', body)).body.id }
    },
  }

  const holds = (role: Role, permission: Permission) => hasPermission({ role, isOwner: false }, permission)
  /** The endpoints that end sessions, which come last in this order. */
  const sessionChanges = [
    'DELETE /api/account/sessions',
    'POST /api/register',
    'POST /api/login',
    'POST /api/login/passkey',
    'POST /api/logout',
  ]
  /** Endpoints that are asked with an unknown id or secret, because a known one works once or for one user. */
  const askedForUnknown = [
    'POST /api/password/reset',
    'POST /api/account/email/confirm',
    'POST /api/email/confirm',
    'GET /api/invitations/:token',
    'POST /api/invitations/:token/accept',
    'POST /api/patient-forms/look-up',
    'POST /api/patient-forms/open',
    'POST /api/patient-forms/answers',
    'POST /api/notifications/read',
  ]

  const endOfSession = 'DELETE /api/account/sessions/:sessionId'
  const removalOfPasskey = 'POST /api/account/passkeys/:passkeyId/remove'

  /** Signs in the user of a client in another browser, and returns the id of that session; of a visitor a random id. */
  async function beginOtherSession(client: Client): Promise<string> {
    const { email } = (await client.get('/api/user')).body
    if (email === undefined) return randomUUID()
    await app.newClient().post('/api/login', { email, password })
    const { items } = (await client.get('/api/account/sessions')).body as {
      items: { id: string; isCurrent: boolean }[]
    }
    return items.find(({ isCurrent }) => !isCurrent)?.id ?? ''
  }
  const bySessionChange = named.toSorted(
    ([one], [other]) => sessionChanges.indexOf(one) - sessionChanges.indexOf(other),
  )

  /** Returns whether a request contains an id of the practice. */
  function namesRecord(name: string): boolean {
    const { params, body, query = '' } = requests[name] ?? {}
    let isNamed = query.endsWith('providerId=')
    const noteRead = () => void (isNamed = true)
    const ids = new Proxy({} as Known, { get: noteRead })
    params?.(ids)
    body?.('', ids)
    return isNamed
  }

  it('replies to each role as docs/product/permissions.md says, in the own and in another practice', async () => {
    // Attempts count before they are judged, and more than five at once are too many.
    const signInOneByOne = pLimit(1)
    const { id: ownerId, email } = (await owner.get('/api/user')).body
    const send = (name: string, endpoint: Endpoint) => async (client: Client, caller: keyof Callers) => {
      const ids = { ...known, ...(await removals[name]?.()) }
      if (name === endOfSession) ids.sessionId = await beginOtherSession(client)
      if (name === removalOfPasskey)
        ids.passkeyId = (await addPasskey(client, createAuthenticator(app.url))).body.id ?? randomUUID()
      // The owner gives the practice to no one, so that it stays theirs.
      if (name.endsWith('/transfer-ownership') && caller === 'owner') ids.memberId = ownerId
      const reply =
        name === 'POST /api/login'
          ? await signInOneByOne(() => ask(client, name, endpoint, ids, { email, password }))
          : name === 'POST /api/login/passkey'
            ? await signInWithPasskey(client, device)
            : await ask(client, name, endpoint, ids)
      const maySeeFees = caller === 'owner' || (caller !== 'visitor' && holds(caller, 'billing'))
      if (typeof endpoint.access === 'object' && !maySeeFees)
        expect(JSON.stringify(reply.body), `${name} as ${caller}`).not.toContain('"cents"')
      return reply
    }
    // Without a counter, because the requests overlap.
    const device = createAuthenticator(app.url, { isCounting: false })
    await addPasskey(owner, device)
    const members = await createCallers(app, owner)
    const strangers = await createCallers(app, otherOwner)
    const own: PermissionRow[] = []
    const foreign: PermissionRow[] = []
    for (const [name, endpoint] of bySessionChange) {
      own.push(await askAsEveryone(name, members, send(name, endpoint)))
      if (namesRecord(name) && name !== endOfSession && name !== removalOfPasskey)
        foreign.push(await askAsEveryone(name, strangers, send(name, endpoint)))
    }
    await owner.post('/api/login', { email, password })
    await expect(renderPermissions(own, foreign)).toMatchFileSnapshot('../../docs/product/permissions.md')
    const accessByName = new Map<string, Endpoint['access']>(named.map(([name, { access }]) => [name, access]))
    for (const { name, cells } of own) {
      const access = accessByName.get(name)
      expect([name, cells.owner]).toEqual([name, askedForUnknown.includes(name) ? '404' : 'allowed'])
      for (const role of Role.options)
        if (typeof access === 'object')
          expect([name, role, cells[role]]).toEqual([name, role, holds(role, access.permission) ? 'allowed' : '403'])
    }
  })

  const withBody = named.filter(([, { body }]) => body)
  it.each(withBody)('%s refuses malformed bodies and never fails with a 500', async (name, endpoint) => {
    const path = endpoint.path.replace(/:\w+/, () => requests[name]?.params?.(known) ?? '')
    const good = requests[name]?.body?.(randomUUID(), known) as Record<string, unknown>
    const bad: unknown[] = [
      [],
      {},
      { ...good, unknownField: 1 },
      { ...good, __proto__: null, constructor: { prototype: {} } },
      ...Object.keys(good).flatMap((field) =>
        [5, true, [], {}, '\u0000', 'a\ud800b', 'x'.repeat(100_000), [[[[[[]]]]]], -1e308].map((value) => ({
          ...good,
          [field]: value,
        })),
      ),
    ]
    for (const body of bad) {
      const answer = await owner.request(endpoint.method, path, body)
      // Some of these are valid for some fields; none may cause a server error.
      expect([name, JSON.stringify(body).slice(0, 200), answer.status < 500]).toEqual([
        name,
        JSON.stringify(body).slice(0, 200),
        true,
      ])
      if (answer.status >= 400) expect(answer.problem.message.length).toBeGreaterThan(5)
    }
    expect((await owner.request(endpoint.method, path, { ...good, unknownField: 1 })).problem.errors).toEqual([
      { path: 'unknownField', message: 'This field is not known' },
    ])
  })
})
