import { z } from 'zod'

/**
 * An id in its one spelling, lower case (RFC 9562 accepts both when reading): PostgreSQL compares ids by value, but streams,
 * data keys and sealed columns compare them as text.
 */
const id = <Name extends string>(_name: Name) => z.uuid({ error: 'This is not a valid id' }).toLowerCase().brand<Name>()

export const UserId = id('UserId')
export type UserId = z.infer<typeof UserId>

export const PracticeId = id('PracticeId')
export type PracticeId = z.infer<typeof PracticeId>

export const PatientId = id('PatientId')
export type PatientId = z.infer<typeof PatientId>

/** An import of patients from another system. */
export const ImportId = id('ImportId')
export type ImportId = z.infer<typeof ImportId>

/** The invitations of one address to one practice: derived from a keyed hash, from which the address cannot be recovered. */
export const InvitationId = id('InvitationId')
export type InvitationId = z.infer<typeof InvitationId>

/** A person who sees patients, with or without an account. */
export const ProviderId = id('ProviderId')
export type ProviderId = z.infer<typeof ProviderId>

export const AppointmentId = id('AppointmentId')
export type AppointmentId = z.infer<typeof AppointmentId>

/** A reservation of a slot in a provider's day; never used again after it was withdrawn. */
export const ReservationId = id('ReservationId')
export type ReservationId = z.infer<typeof ReservationId>

/** An offer of a freed slot to a patient on the waitlist. */
export const SurveyId = id('SurveyId')
export type SurveyId = z.infer<typeof SurveyId>
export const SlotOfferId = id('SlotOfferId')
export type SlotOfferId = z.infer<typeof SlotOfferId>

/** A series of recurring appointments. */
export const SeriesId = id('SeriesId')
export type SeriesId = z.infer<typeof SeriesId>

export const WaitlistEntryId = id('WaitlistEntryId')
export type WaitlistEntryId = z.infer<typeof WaitlistEntryId>

export const CalendarFeedId = id('CalendarFeedId')
export type CalendarFeedId = z.infer<typeof CalendarFeedId>

/** An e-mail address as the newsletter knows it: derived from a keyed hash, from which it cannot be recovered. */
export const NewsletterSubscriberId = id('NewsletterSubscriberId')
export type NewsletterSubscriberId = z.infer<typeof NewsletterSubscriberId>

/** The time from a request for the newsletter until the subscriber leaves; the address is encrypted with its data key. */
export const NewsletterSubscriptionId = id('NewsletterSubscriptionId')
export type NewsletterSubscriptionId = z.infer<typeof NewsletterSubscriptionId>

/** A notification; the same id as that of the event it was derived from. */
export const NotificationId = id('NotificationId')
export type NotificationId = z.infer<typeof NotificationId>

/** An export of all data of a practice. */
export const DataExportId = id('DataExportId')
export type DataExportId = z.infer<typeof DataExportId>

/** A holiday of a practice, or days off of a provider. */
export const ClosureId = id('ClosureId')
export type ClosureId = z.infer<typeof ClosureId>

export const FormId = id('FormId')
export type FormId = z.infer<typeof FormId>

/** An insight; derived from its practice, its rule and what it is about, so that it keeps its id. */
export const InsightId = id('InsightId')
export type InsightId = z.infer<typeof InsightId>

/** A question to a patient whether an appointment suits, by one channel. */
export const ConfirmationId = id('ConfirmationId')
export type ConfirmationId = z.infer<typeof ConfirmationId>

/** A question to the clearinghouse. */
export const EligibilityInquiryId = id('EligibilityInquiryId')
export type EligibilityInquiryId = z.infer<typeof EligibilityInquiryId>

/** A verification of a patient's insurance. */
export const InsuranceVerificationId = id('InsuranceVerificationId')
export type InsuranceVerificationId = z.infer<typeof InsuranceVerificationId>

/** A request to an insurer to approve a treatment before it is given. */
export const PriorAuthorizationId = id('PriorAuthorizationId')
export type PriorAuthorizationId = z.infer<typeof PriorAuthorizationId>

/** A call in the log of calls. */
export const CallLogId = id('CallLogId')
export type CallLogId = z.infer<typeof CallLogId>

/** A note of an appointment, or an addendum to one. */
export const ClinicalDocumentId = id('ClinicalDocumentId')
export type ClinicalDocumentId = z.infer<typeof ClinicalDocumentId>

/** A request to a specialist. */
export const ReferralId = id('ReferralId')
export type ReferralId = z.infer<typeof ReferralId>

/** An order of medical supplies. */
export const StockItemId = id('StockItemId')
export type StockItemId = z.infer<typeof StockItemId>

export const SupplyOrderId = id('SupplyOrderId')
export type SupplyOrderId = z.infer<typeof SupplyOrderId>

export const AdministrationId = id('AdministrationId')
export type AdministrationId = z.infer<typeof AdministrationId>

export const VitalSignsId = id('VitalSignsId')
export type VitalSignsId = z.infer<typeof VitalSignsId>

/** A message from or to a patient. */
export const CommunicationId = id('CommunicationId')
export type CommunicationId = z.infer<typeof CommunicationId>

/** A link to a form: derived from a hash of its secret, from which the link cannot be recovered. */
export const FormLinkId = id('FormLinkId')
export type FormLinkId = z.infer<typeof FormLinkId>

/** A question to a model. */
export const AiInteractionId = id('AiInteractionId')
export type AiInteractionId = z.infer<typeof AiInteractionId>
