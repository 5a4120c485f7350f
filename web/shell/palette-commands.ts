import type { FluentIcon } from '@fluentui/react-icons'
import type { Patient } from '#contracts/patients.ts'
import { formatPatientHint } from '#web/entities/patients/format-patient-hint.ts'
import { mainEntries, settingsEntries, resolveTarget } from './navigation-entries.ts'
import { formatName } from '#web/ui/format.ts'

/** Entry of the command palette. Entries without an icon are patients. */
export type Command = { id: string; label: string; hint?: string; icon?: FluentIcon; to: string }

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
