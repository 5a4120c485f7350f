import type { AppointmentTypeSchedule, changeAppointmentTypes } from '#contracts/appointment-types.ts'
import type { RequestInput } from '#contracts/endpoint.ts'
import type { AppointmentType } from '#contracts/values/appointments.ts'
import { Colour } from '#contracts/values/colours.ts'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import type { TextValues } from '#web/forms/text-form.ts'
import { findChangedFields, type FormFields } from '#web/forms/three-way-merge.ts'
import { formatDollars, parseDollars } from './dollars.ts'

/** The value of a type without a color in the form. */
export const noColour = 'none'

/** Display names of the colors. */
export const colourLabels: Readonly<Record<string, string>> = {
  [noColour]: 'No color',
  ...Object.fromEntries(Colour.options.map((colour) => [colour, colour.charAt(0).toUpperCase() + colour.slice(1)])),
}

const settings = ['duration', 'fee', 'colour'] as const
const settingLabels = { duration: 'duration', fee: 'fee', colour: 'color' }
/** The paths of all settings, as the contract names them: `follow-up.fee`. */
const paths = Object.keys(appointmentTypeLabels).flatMap((type) => settings.map((setting) => `${type}.${setting}`))

/** Returns the type and the setting of a path, of which the beginning may be missing: `types.follow-up.fee`. */
function splitPath(path: string): [type: AppointmentType, setting: (typeof settings)[number]] {
  const [type, setting] = path.split('.').slice(-2)
  return [type as AppointmentType, setting as (typeof settings)[number]]
}

/** Returns the name of the input of a setting. It has no dot, which would be a path within the form's values. */
export const toInput = (path: string): string => splitPath(path).join('-')

/** Labels of all settings by their paths, such as "Follow-up, fee". */
export const fieldLabels: Readonly<Record<string, string>> = Object.fromEntries(
  paths.map((path) => {
    const [type, setting] = splitPath(path)
    return [path, `${appointmentTypeLabels[type]}, ${settingLabels[setting]}`]
  }),
)

/** The settings in the form; each is a field of its own, so that two users can change different ones. */
export const appointmentTypeFields: FormFields<TextValues, string> = {
  inputs: Object.fromEntries(paths.map((path) => [path, [toInput(path)]])),
  normalize: (values) => values,
}

/** Returns the settings as texts. */
export const toValues = ({ types }: AppointmentTypeSchedule): TextValues =>
  Object.fromEntries(
    Object.entries(types).flatMap(([type, { duration, fee, colour }]) => [
      [`${type}-duration`, String(duration)],
      [`${type}-fee`, formatDollars(fee.cents)],
      [`${type}-colour`, colour ?? noColour],
    ]),
  )

/** Returns the text of a setting in the list of changes by other users. */
export function formatSetting({ types }: AppointmentTypeSchedule, path: string): string {
  const [type, setting] = splitPath(path)
  const { duration, fee, colour } = types[type]
  const texts = {
    duration: `${duration} min`,
    fee: `$${formatDollars(fee.cents)}`,
    colour: colourLabels[colour ?? noColour] ?? '',
  }
  return texts[setting]
}

/** Converts typed text: "90" and "90.00" are the same fee; anything but a number becomes NaN, which validation rejects. */
const parsers = {
  duration: (typed: string) => (/^\d+$/.test(typed.trim()) ? Number(typed) : Number.NaN),
  fee: parseDollars,
  colour: (chosen: string) => (chosen === noColour ? null : chosen),
}

/** Returns the changed settings as the contract expects them. */
export function toChange(
  before: TextValues,
  after: TextValues,
): Pick<RequestInput<typeof changeAppointmentTypes>['body'], 'types'> {
  const types: Record<string, Record<string, unknown>> = {}
  for (const path of findChangedFields(appointmentTypeFields, before, after)) {
    const [type, setting] = splitPath(path)
    types[type] = { ...types[type], [setting]: parsers[setting](after[toInput(path)] ?? '') }
  }
  return { types }
}
