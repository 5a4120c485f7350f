import type { FluentIcon } from '@fluentui/react-icons'
import { CalendarLtrRegular } from '@fluentui/react-icons/svg/calendar-ltr'
import type { Appointment } from '#contracts/appointments.ts'
import type { Patient } from '#contracts/patients.ts'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import { formatPatientHint } from '#web/entities/patients/format-patient-hint.ts'
import { mainEntries, settingsEntries, resolveTarget } from './navigation-entries.ts'
import { formatDate, formatTime } from '#web/ui/dates.ts'
import { formatName } from '#web/ui/format.ts'

/** Entry of the command palette. Entries without an icon are patients. */
export type Command = {
  id: string
  label: string
  hint?: string
  icon?: FluentIcon
  to: string
  search?: Record<string, string>
}

/** Returns the screens whose name contains the query. */
export function findScreenCommands(query: string, demo: boolean): Command[] {
  const text = query.trim().toLowerCase()
  const screens = [...mainEntries, ...settingsEntries].map((entry) => ({
    id: `go${entry.to}`,
    label: entry.label,
    icon: entry.icon,
    to: resolveTarget(entry, demo),
  }))
  const importing = { ...screens[1], id: 'go/patients/import', label: 'Import patients', to: '/patients/import' }
  return [...screens, importing as Command].filter(({ label }) => label.toLowerCase().includes(text))
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
