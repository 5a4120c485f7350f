import type { FluentIcon } from '@fluentui/react-icons'
import type { Patient } from '#contracts/patients.ts'
import { formatDate } from '#web/ui/dates.ts'
import { mainEntries, settingsEntries, resolveTarget } from './navigation-entries.ts'

/** Something the palette can lead to. Without an icon it is a person. */
export type Command = { id: string; label: string; hint?: string; icon?: FluentIcon; to: string }

/** The screens whose name contains what was typed. */
export function findScreenCommands(query: string, demo: boolean): Command[] {
  const words = query.trim().toLowerCase()
  const screens = [...mainEntries, ...settingsEntries].map((entry) => ({
    id: `go${entry.to}`,
    label: entry.label,
    icon: entry.icon,
    to: resolveTarget(entry, demo),
  }))
  const importing = { ...screens[1], id: 'go/patients/import', label: 'Import patients', to: '/patients/import' }
  return [...screens, importing as Command].filter(({ label }) => label.toLowerCase().includes(words))
}

/** Patients that were found, with what tells two of one name apart. */
export const toPatientCommands = (patients: readonly Patient[]): Command[] =>
  patients.map(({ id, firstName, lastName, dateOfBirth, phoneNational }) => {
    const hint = [dateOfBirth && formatDate(dateOfBirth), phoneNational].filter(Boolean).join(', ')
    return { id: `patient-${id}`, label: `${firstName} ${lastName}`, to: `/patients/${id}`, ...(hint ? { hint } : {}) }
  })
