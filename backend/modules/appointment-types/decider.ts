import {
  type AppointmentTypeChanges,
  type AppointmentTypes,
  type AppointmentTypeSettings,
  mergeAppointmentTypes,
  defaultAppointmentTypes,
} from '#contracts/values/appointment-types.ts'
import { AppointmentType } from '#contracts/values/appointments.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import type { Money } from '#contracts/values/money.ts'
import type { Decider } from '#eventstore/decider.ts'
import { AppointmentTypeEvent } from './events.ts'

/** Sets the duration, fee or color of some types. */
export type AppointmentTypeCommand = {
  type: 'ChangeAppointmentTypes'
  practiceId: PracticeId
  changes: AppointmentTypeChanges
}

/** The appointment types of a practice. The defaults apply until a setting is changed. */
export const appointmentTypeDecider: Decider<AppointmentTypeCommand, AppointmentTypeEvent, AppointmentTypes, never> = {
  // Named for what the streams held first: the fees of older practices are in them.
  category: 'fees',
  events: AppointmentTypeEvent,
  initial: defaultAppointmentTypes,
  decide({ practiceId, changes }, state) {
    const changed = AppointmentType.options.flatMap((type) => {
      const settings = findChanged(state[type], changes[type] ?? {})
      return settings.length === 0 ? [] : [{ type, settings }]
    })
    const pick = (source: AppointmentTypeChanges) =>
      Object.fromEntries(
        changed.map(({ type, settings }) => [
          type,
          Object.fromEntries(settings.map((name) => [name, source[type]?.[name]])),
        ]),
      )
    return changed.length === 0
      ? []
      : [{ type: 'AppointmentTypesChanged', data: { practiceId, from: pick(state), to: pick(changes) } }]
  },
  evolve: (state, { data }) => mergeAppointmentTypes(state, data.to as AppointmentTypeChanges),
}

const settingNames = ['duration', 'fee', 'colour'] as const

const isFee = (value: unknown): value is Money => typeof value === 'object' && value !== null

const isSame = (one: unknown, other: unknown) =>
  isFee(one) && isFee(other) ? one.cents === other.cents && one.currency === other.currency : one === other

const findChanged = (before: AppointmentTypeSettings, change: Partial<AppointmentTypeSettings>) =>
  settingNames.filter((name) => change[name] !== undefined && !isSame(before[name], change[name]))
