import type { AppointmentEvent } from '#modules/appointments/events.ts'
import type { BillingEvent } from '#modules/billing/events.ts'
import type { ConfirmationEvent } from '#modules/confirmations/events.ts'
import type { SlotOfferEvent } from '#modules/confirmations/offers/events.ts'
import type { FormEvent } from '#modules/forms/events.ts'
import type { InsuranceEvent } from '#modules/insurance/events.ts'
import type { PatientCommunicationEvent } from '#modules/patient-communications/events.ts'
import { patientDetailEvents, type PatientEvent } from '#modules/patients/events.ts'
import type { ImportEvent } from '#modules/patients/import/events.ts'
import type { Slot } from '#modules/schedule/events.ts'
import type { TeamEvent } from '#modules/team/events.ts'
import type { Recorded } from '#eventstore/event.ts'
import { defineProjection, mapEvents } from '#projections/projection.ts'
import { defaultChoices } from './decider.ts'
import type { NotificationPreferencesChanged, NotificationsRead } from './events.ts'
import type { NotificationKind } from './kinds.ts'

/** The row of a notification. It holds ids and times; names are looked up when it is read. */
export type NotificationRow = {
  /** The matter, such as `import:<import>`: a repetition replaces the row. */
  key: string
  /** The id of the latest event, by which it is read: a repetition is unread again. */
  id: string
  practice_id: string
  kind: NotificationKind
  at: string
  /** The user who caused it and is not notified; null when all users are. */
  actor_id: string | null
  /** The appointment, confirmation, message, form, verification, import or user. */
  record_id: string | null
  patient_id: string | null
  /** The slot of the appointment, before it was moved or cancelled. */
  provider_id: string | null
  starts_at: string | null
  duration: number | null
  /** The new start of a moved appointment, or the end of a subscription. */
  until: string | null
  amount_cents: number | null
  currency: string | null
}

type SourceEvent =
  | AppointmentEvent
  | BillingEvent
  | ConfirmationEvent
  | SlotOfferEvent
  | FormEvent
  | ImportEvent
  | InsuranceEvent
  | PatientCommunicationEvent
  | TeamEvent

const createRow = (
  { id, metadata: { at } }: Recorded,
  key: string,
  practiceId: string | null,
  kind: NotificationKind,
  details: Partial<NotificationRow> = {},
): NotificationRow | null =>
  practiceId === null
    ? null
    : {
        key,
        id,
        practice_id: practiceId,
        kind,
        at,
        actor_id: null,
        record_id: null,
        patient_id: null,
        provider_id: null,
        starts_at: null,
        duration: null,
        until: null,
        amount_cents: null,
        currency: null,
        ...details,
      }

type AppointmentChange = Recorded<
  Extract<
    AppointmentEvent,
    {
      type: 'AppointmentBooked' | 'AppointmentRescheduled' | 'AppointmentCancelled' | 'AppointmentDetailsChanged'
    }
  >
>

/** Returns the row about a change of an appointment; null for a change of sample data that no user made. */
function createAppointmentRow(event: AppointmentChange, key: string, kind: NotificationKind, slot: Slot) {
  const { actor, practiceId, sample } = event.metadata
  if (sample) return null
  return createRow(event, key, practiceId, kind, {
    actor_id: actor.kind === 'user' ? actor.userId : null,
    record_id: event.data.appointmentId,
    patient_id: event.data.patientId,
    ...pickSlot(slot),
  })
}

const pickSlot = ({ providerId, startsAt, duration }: Slot) => ({
  provider_id: providerId,
  starts_at: startsAt,
  duration,
})

const emergency = 'emergency:'

/** Returns the key of the row about a slot that its appointment no longer needs. A reservation is released only once. */
const toReleaseKey = ({ reservationId }: Pick<Slot, 'reservationId'>) => `released:${reservationId}`

/** Returns the row about a record of a patient; null for a change of sample data. */
function createPatientRow(
  event: Recorded<{ type: string; data: { patientId: string | null } }>,
  key: string,
  kind: NotificationKind,
  recordId: string,
) {
  const { actor, practiceId, sample } = event.metadata
  if (sample) return null
  return createRow(event, key, practiceId, kind, {
    actor_id: actor.kind === 'user' ? actor.userId : null,
    record_id: recordId,
    patient_id: event.data.patientId,
  })
}

const urgent = 'urgent:'
const toFormKey = (formId: string) => `form:${formId}`
const toUrgentKey = (formId: string) => `${urgent}${formId}`

/** Returns the row that an event can affect, or several. */
function findKeys({ type, data }: SourceEvent): string | readonly string[] {
  if ('invoice' in data) return `payment:${data.invoice.invoiceId}`
  if ('subscription' in data) return `subscription:${data.practiceId}`
  if (type === 'MemberJoined') return `member:${data.userId}`
  if ('confirmationId' in data) return `declined:${data.confirmationId}`
  if ('communicationId' in data) return `message:${data.communicationId}`
  if ('slotOfferId' in data) return `offer:${data.slotOfferId}`
  if ('verificationId' in data) return `coverage:${data.verificationId}`
  if ('formId' in data) {
    if (type === 'FormAnalyzed') return toUrgentKey(data.formId)
    return type === 'FormReviewed' ? [toFormKey(data.formId), toUrgentKey(data.formId)] : toFormKey(data.formId)
  }
  if ('importId' in data) return `import:${data.importId}`
  if (!('appointmentId' in data)) return []
  const booked = `${emergency}${data.appointmentId}`
  if (type === 'AppointmentRescheduled') return [booked, toReleaseKey(data.from)]
  return type === 'AppointmentCancelled' || type === 'AppointmentRemoved' ? [booked, toReleaseKey(data.slot)] : booked
}

/** One row per matter that users are notified of, derived from the events of the modules concerned. */
export const notificationsProjection = defineProjection<SourceEvent, NotificationRow>({
  name: 'notifications',
  version: 7,
  key: 'key',
  columns: {
    key: 'text',
    id: 'uuid',
    practice_id: 'uuid',
    kind: 'text',
    at: 'timestamptz',
    actor_id: 'uuid',
    record_id: 'uuid',
    patient_id: 'uuid',
    provider_id: 'uuid',
    starts_at: 'timestamptz',
    duration: 'int4',
    until: 'timestamptz',
    amount_cents: 'int4',
    currency: 'text',
  },
  indexes: ['(practice_id, at, id)', '(practice_id, starts_at) where starts_at is not null'],
  rowOf: findKeys,
  on: {
    AppointmentBooked: (_, event, key) =>
      event.data.type === 'emergency' ? createAppointmentRow(event, key, 'emergency-booked', event.data.slot) : null,
    AppointmentRescheduled: (row, event, key) => {
      const { from, to } = event.data
      if (key.startsWith(emergency)) return row && { ...row, ...pickSlot(to) }
      // Another length only.
      if (from.startsAt === to.startsAt && from.providerId === to.providerId) return row
      const moved = createAppointmentRow(event, key, 'appointment-moved', from)
      return moved && { ...moved, until: to.startsAt }
    },
    AppointmentCancelled: (_, event, key) =>
      key.startsWith(emergency) ? null : createAppointmentRow(event, key, 'appointment-cancelled', event.data.slot),
    AppointmentRemoved: () => null,
    AppointmentDetailsChanged: (row, event, key) => {
      const { to, slot } = event.data
      if (slot) return createAppointmentRow(event, key, 'emergency-booked', slot)
      return to.type === undefined || to.type === 'emergency' ? row : null
    },
    ...mapEvents(
      ['AppointmentStatusChanged', 'AppointmentCompleted', 'AppointmentRemovedFromDayList', 'SampleAppointmentKept'],
      'ignore',
    ),

    ConfirmationAnswered: (_, event, key) =>
      event.data.answer === 'declined'
        ? createPatientRow(event, key, 'confirmation-declined', event.data.confirmationId)
        : null,
    ...mapEvents(
      [
        'ConfirmationPlanned',
        'ConfirmationReplanned',
        'ConfirmationSent',
        'ConfirmationFailed',
        'ConfirmationWithdrawn',
        'ConfirmationClosed',
        'ConfirmationResendRequested',
      ],
      'ignore',
    ),

    SlotOfferAccepted: (_, event, key) => createPatientRow(event, key, 'offer-accepted', event.data.appointmentId),
    ...mapEvents(
      ['SlotOffered', 'SlotOfferSent', 'SlotOfferFailed', 'SlotOfferDeclined', 'SlotOfferWithdrawn'],
      'ignore',
    ),

    // One that a user has noted is known already.
    PatientCommunicationNoted: (_, event, key) =>
      event.data.direction === 'inbound' && event.data.sentBy === null
        ? createPatientRow(event, key, 'message-received', event.data.communicationId)
        : null,
    ...mapEvents(
      ['PatientCommunicationRead', 'PatientCommunicationAnswered', 'PatientCommunicationFailed'],
      () => null,
    ),
    ...mapEvents(['PatientCommunicationChanged', 'PatientCommunicationReopened'], 'ignore'),

    FormSubmitted: (_, event, key) => createPatientRow(event, key, 'form-submitted', event.data.formId),
    // A later analysis of the same answers says nothing new: what was read stays read.
    FormAnalyzed: (row, event, key) =>
      event.data.urgentCount === 0 ? null : (row ?? createPatientRow(event, key, 'form-urgent', event.data.formId)),
    FormReviewed: () => null,
    ...mapEvents(
      [
        'FormAssigned',
        'FormAnswersSaved',
        'FormCompleted',
        'FormAnalysisRequested',
        'FormAnalysisFailed',
        'FormAnalysisSkipped',
      ],
      'ignore',
    ),

    InsuranceDenied: (_, event, key) => createPatientRow(event, key, 'coverage-denied', event.data.verificationId),
    InsuranceExpired: (_, event, key) => createPatientRow(event, key, 'coverage-expired', event.data.verificationId),
    ...mapEvents(['InsuranceVerified', 'InsuranceVerificationReopened'], () => null),
    ...mapEvents(['InsuranceVerificationRequested', 'InsuranceVerificationChanged'], 'ignore'),

    ImportFinished: (_, event, key) =>
      createRow(event, key, event.metadata.practiceId, 'import-finished', { record_id: event.data.importId }),
    ImportGivenUp: (_, event, key) =>
      createRow(event, key, event.metadata.practiceId, 'import-failed', { record_id: event.data.importId }),
    ...mapEvents(['ImportResumed', 'ImportUndoRequested'], () => null),
    ...mapEvents(['ImportRequested', 'ImportColumnsLeftOut', 'ImportProgressed', 'ImportUndone'], 'ignore'),

    MemberJoined: (_, event, key) =>
      createRow(event, key, event.data.practiceId, 'member-joined', {
        actor_id: event.data.userId,
        record_id: event.data.userId,
      }),
    ...mapEvents(
      [
        'TeamStarted',
        'MemberRoleChanged',
        'MemberSuspended',
        'MemberReinstated',
        'OwnershipTransferred',
        'MemberTwoFactorReset',
        'ProviderLinked',
      ],
      'ignore',
    ),

    PaymentFailed: (_, event, key) => {
      const { cents, currency } = event.data.invoice.amount
      return createRow(event, key, event.data.practiceId, 'payment-failed', { amount_cents: cents, currency })
    },
    ...mapEvents(['PaymentSucceeded', 'InvoiceVoided'], () => null),
    CancellationScheduled: (_, event, key) =>
      createRow(event, key, event.data.practiceId, 'subscription-ending', {
        until: event.data.subscription.currentPeriodEnd,
      }),
    SubscriptionCanceled: (_, event, key) => createRow(event, key, event.data.practiceId, 'subscription-canceled'),
    SubscriptionReactivated: () => null,
    // A plan was chosen again.
    ...mapEvents(['TrialStarted', 'SubscriptionActivated'], (row: NotificationRow | null) =>
      row?.kind === 'subscription-canceled' ? null : row,
    ),
    ...mapEvents(
      [
        'CheckoutStarted',
        'SandboxSubscriptionEnded',
        'SubscriptionStarted',
        'SubscriptionRenewed',
        'SubscriptionPastDue',
        'PlanChangeScheduled',
        'PlanChangeWithdrawn',
        'PlanChanged',
        'SubscriptionConfirmed',
        'ProviderUpdateMissed',
      ],
      'ignore',
    ),
  },
})

/** One row per patient who was removed, whose forms, coverages and messages are not mentioned any more. */
export const notificationRemovedPatientsProjection = defineProjection<PatientEvent, { id: string }>({
  name: 'notification_removed_patients',
  version: 1,
  isMetadataOnly: true,
  columns: { id: 'uuid' },
  key: 'id',
  rowOf: ({ data }) => data.patientId,
  on: {
    PatientRemoved: (_, { data }) => ({ id: data.patientId }),
    ...mapEvents(patientDetailEvents, 'ignore'),
    ...mapEvents(
      [
        'PatientRegistered',
        'PatientDemographicsCorrected',
        'PatientContactChanged',
        'PatientDeathRecorded',
        'PatientDeathCorrected',
        'SamplePatientKept',
      ],
      'ignore',
    ),
  },
})

/** Returns the key of the row that says that a user has read a notification. */
const toReadKey = (userId: string, notificationId: string): string => `${userId}:${notificationId}`

/** One row per person and notification that the person has read. */
export const notificationReadsProjection = defineProjection<
  NotificationsRead,
  { key: string; user_id: string; notification_id: string }
>({
  name: 'notification_reads',
  version: 2,
  isMetadataOnly: true,
  key: 'key',
  columns: { key: 'text', user_id: 'uuid', notification_id: 'uuid' },
  indexes: ['(user_id, notification_id)'],
  rowOf: ({ data: { userId, notificationIds } }) => notificationIds.map((id) => toReadKey(userId, id)),
  on: {
    NotificationsRead: (_, { data: { userId } }, key) => ({
      key,
      user_id: userId,
      notification_id: key.slice(toReadKey(userId, '').length),
    }),
  },
})

/** The choices of a person who changed them. */
export type PreferencesRow = {
  user_id: string
  appointment_reminders: boolean
  ai_alerts: boolean
  form_submissions: boolean
  insurance_updates: boolean
  daily_digest: boolean
}

/** One row per person who has changed a choice. */
export const notificationPreferencesProjection = defineProjection<NotificationPreferencesChanged, PreferencesRow>({
  name: 'notification_preferences',
  version: 1,
  isMetadataOnly: true,
  key: 'user_id',
  columns: {
    user_id: 'uuid',
    appointment_reminders: 'bool',
    ai_alerts: 'bool',
    form_submissions: 'bool',
    insurance_updates: 'bool',
    daily_digest: 'bool',
  },
  indexes: ['(user_id) where daily_digest'],
  rowOf: ({ data }) => data.userId,
  on: {
    NotificationPreferencesChanged: (row, { data: { userId, to } }) => ({
      user_id: userId,
      appointment_reminders:
        to.appointmentReminders ?? row?.appointment_reminders ?? defaultChoices.appointmentReminders,
      ai_alerts: to.aiAlerts ?? row?.ai_alerts ?? defaultChoices.aiAlerts,
      form_submissions: to.formSubmissions ?? row?.form_submissions ?? defaultChoices.formSubmissions,
      insurance_updates: to.insuranceUpdates ?? row?.insurance_updates ?? defaultChoices.insuranceUpdates,
      daily_digest: to.dailyDigest ?? row?.daily_digest ?? defaultChoices.dailyDigest,
    }),
  },
})
