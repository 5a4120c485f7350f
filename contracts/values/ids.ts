import { z } from 'zod'

const id = <Name extends string>(_name: Name) => z.uuid({ error: 'This is not a valid id' }).brand<Name>()

export const UserId = id('UserId')
export type UserId = z.infer<typeof UserId>

export const PracticeId = id('PracticeId')
export type PracticeId = z.infer<typeof PracticeId>

export const PatientId = id('PatientId')
export type PatientId = z.infer<typeof PatientId>

/** One run of bringing patients over from another system. */
export const ImportId = id('ImportId')
export type ImportId = z.infer<typeof ImportId>

/** Somebody who sees patients, with or without a login. */
export const ProviderId = id('ProviderId')
export type ProviderId = z.infer<typeof ProviderId>

export const AppointmentId = id('AppointmentId')
export type AppointmentId = z.infer<typeof AppointmentId>

/** A place in a provider's day that was asked for once; never used again after it was given up. */
export const ReservationId = id('ReservationId')
export type ReservationId = z.infer<typeof ReservationId>

/** A row of recurring appointments. */
export const SeriesId = id('SeriesId')
export type SeriesId = z.infer<typeof SeriesId>

export const WaitlistEntryId = id('WaitlistEntryId')
export type WaitlistEntryId = z.infer<typeof WaitlistEntryId>

export const CalendarFeedId = id('CalendarFeedId')
export type CalendarFeedId = z.infer<typeof CalendarFeedId>
