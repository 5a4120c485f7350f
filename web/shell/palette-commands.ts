import type { FluentIcon } from '@fluentui/react-icons'
import { ArrowUploadRegular } from '@fluentui/react-icons/svg/arrow-upload'
import { CalendarAddRegular } from '@fluentui/react-icons/svg/calendar-add'
import { CalendarLtrRegular } from '@fluentui/react-icons/svg/calendar-ltr'
import { ClipboardTextLtrRegular } from '@fluentui/react-icons/svg/clipboard-text-ltr'
import { DarkThemeRegular } from '@fluentui/react-icons/svg/dark-theme'
import { KeyboardRegular } from '@fluentui/react-icons/svg/keyboard'
import { PersonAddRegular } from '@fluentui/react-icons/svg/person-add'
import { SignOutRegular } from '@fluentui/react-icons/svg/sign-out'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { Appointment } from '#contracts/appointments.ts'
import type { Patient } from '#contracts/patients.ts'
import type { Permission } from '#contracts/values/roles.ts'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import { formatPatientHint } from '#web/entities/patients/format-patient-hint.ts'
import { isVisibleTo, mainEntries, settingsEntries, resolveTarget } from './navigation-entries.ts'
import { formatDate, formatTime } from '#web/ui/dates.ts'
import { formatName } from '#web/ui/format.ts'

/** Entry of the command palette, which opens a screen or calls a function. Entries without an icon are patients. */
export type Command = {
  id: string
  label: string
  hint?: string
  icon?: FluentIcon
} & ({ to: string; search?: Record<string, string | true> } | { run: () => void })

const matches = (query: string) => {
  const text = query.trim().toLowerCase()
  return ({ label }: Command) => label.toLowerCase().includes(text)
}

/** Returns the screens whose name contains the query, as far as the user may open them. */
export function findScreenCommands(query: string, user: CurrentUser | null, demo: boolean): Command[] {
  const screens = [...mainEntries, ...settingsEntries].filter(isVisibleTo(user)).map((entry) => ({
    id: `go${entry.to}`,
    label: entry.label,
    icon: entry.icon,
    to: resolveTarget(entry, demo),
  }))
  return screens.filter(matches(query))
}

/** Functions that the actions call, and the theme in use. */
export type PaletteActions = {
  isDark: boolean
  onSwitchTheme: () => void
  onShortcuts: () => void
  onSignOut: () => void
}

/** Returns the actions whose name contains the query, as far as the user may take them. */
export function findActionCommands(query: string, user: CurrentUser | null, actions: PaletteActions): Command[] {
  const { isDark, onSwitchTheme, onShortcuts, onSignOut } = actions
  const can = (permission: Permission) => Boolean(user?.practiceId) && Boolean(user?.permissions.includes(permission))
  const schedule: Command = {
    id: 'do-schedule',
    label: 'Schedule appointment',
    icon: CalendarAddRegular,
    to: '/appointments',
    search: { new: true },
  }
  const addPatient: Command = {
    id: 'do-add-patient',
    label: 'Add patient',
    icon: PersonAddRegular,
    to: '/patients',
    search: { new: true },
  }
  const importPatients: Command = {
    id: 'do-import-patients',
    label: 'Import patients',
    icon: ArrowUploadRegular,
    to: '/patients/import',
  }
  const createForm: Command = {
    id: 'do-create-form',
    label: 'Create form',
    icon: ClipboardTextLtrRegular,
    to: '/forms',
    search: { new: true },
  }
  const always: Command[] = [
    {
      id: 'do-switch-theme',
      label: isDark ? 'Use the light theme' : 'Use the dark theme',
      icon: DarkThemeRegular,
      run: onSwitchTheme,
    },
    { id: 'do-show-shortcuts', label: 'Keyboard shortcuts', icon: KeyboardRegular, run: onShortcuts },
    { id: 'do-sign-out', label: 'Sign out', icon: SignOutRegular, run: onSignOut },
  ]
  return [
    ...(can('scheduling') ? [schedule] : []),
    ...(can('patients:write') ? [addPatient, importPatients, createForm] : []),
    ...always,
  ].filter(matches(query))
}

/** Converts patients to commands; the hint distinguishes namesakes. */
export const toPatientCommands = (patients: readonly Patient[]): Command[] =>
  patients.map((patient) => {
    const hint = formatPatientHint(patient)
    return {
      id: `patient-${patient.id}`,
      label: formatName(patient),
      to: `/patients/${patient.id}`,
      ...(hint ? { hint } : {}),
    }
  })

/** Converts appointments to commands, which open their details on their day. */
export const toAppointmentCommands = (appointments: readonly Appointment[]): Command[] =>
  appointments.map(({ id, patient, localDate, localTime, type }) => ({
    id: `appointment-${id}`,
    label: formatName(patient),
    hint: `${formatDate(localDate)}, ${formatTime(localTime)}, ${appointmentTypeLabels[type]}`,
    icon: CalendarLtrRegular,
    to: '/appointments',
    search: { date: localDate, appointment: id },
  }))
