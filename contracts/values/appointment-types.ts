import { AppointmentType, defaultDuration } from './appointments.ts'
import type { Colour } from './colours.ts'
import { defaultFees, type Money } from './money.ts'

/** The settings of an appointment type: the usual duration in minutes, the fee, and the color that marks it on screen. */
export type AppointmentTypeSettings = { duration: number; fee: Money; colour: Colour | null }

export type AppointmentTypes = Readonly<Record<AppointmentType, AppointmentTypeSettings>>

/** Settings of some types; what is absent stays as it is. */
export type AppointmentTypeChanges = Readonly<Partial<Record<AppointmentType, Partial<AppointmentTypeSettings>>>>

/** The types of a practice that has set nothing: as the specification has them, without colors. */
export const defaultAppointmentTypes = Object.fromEntries(
  AppointmentType.options.map((type) => [type, { duration: defaultDuration, fee: defaultFees[type], colour: null }]),
) as AppointmentTypes

/** Returns the types with some settings replaced. */
export const mergeAppointmentTypes = (types: AppointmentTypes, changes: AppointmentTypeChanges): AppointmentTypes =>
  Object.fromEntries(
    AppointmentType.options.map((type) => [type, { ...types[type], ...changes[type] }]),
  ) as AppointmentTypes
