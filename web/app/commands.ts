import type { FluentIcon } from '@fluentui/react-icons'
import type { Patient } from '#contracts/patients.ts'
import { showDate } from './dates.ts'
import { entries, settings, targetOf } from './sidebar-entries.ts'

/** Something the palette can lead to. Without an icon it is a person. */
export type Command = { id: string; label: string; hint?: string; icon?: FluentIcon; to: string }

/** The screens whose name contains what was typed. */
export function screenCommands(query: string, demo: boolean): Command[] {
  const words = query.trim().toLowerCase()
  const screens = [...entries, ...settings].map((entry) => ({
    id: `go${entry.to}`,
    label: entry.label,
    icon: entry.icon,
    to: targetOf(entry, demo),
  }))
  const importing = { ...screens[1], id: 'go/patients/import', label: 'Import patients', to: '/patients/import' }
  return [...screens, importing as Command].filter(({ label }) => label.toLowerCase().includes(words))
}

/** Patients that were found, with what tells two of one name apart. */
export const patientCommands = (patients: readonly Patient[]): Command[] =>
  patients.map(({ id, firstName, lastName, dateOfBirth, phoneNational }) => {
    const hint = [dateOfBirth && showDate(dateOfBirth), phoneNational].filter(Boolean).join(', ')
    return { id: `patient-${id}`, label: `${firstName} ${lastName}`, to: `/patients/${id}`, ...(hint ? { hint } : {}) }
  })
