import { Dialog, DialogSurface, Input, makeStyles, Spinner, Text, tokens } from '@fluentui/react-components'
import { SearchRegular } from '@fluentui/react-icons/svg/search'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { searchAppointments } from '#contracts/appointments.ts'
import { listPatients } from '#contracts/patients.ts'
import { call } from '#web/api/call.ts'
import { type Command, findScreenCommands, toAppointmentCommands, toPatientCommands } from './palette-commands.ts'
import { appointmentKeys } from '#web/entities/appointments/appointment-keys.ts'
import { patientKeys } from '#web/entities/patients/patient-keys.ts'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { Permission } from '#contracts/values/roles.ts'
import { showsSampleData } from '#contracts/values/tiers.ts'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { useDebouncedValue } from '#web/ui/use-debounced-value.ts'
import { KeyCap } from '#web/ui/key-cap.tsx'
import { ListboxOption } from '#web/ui/listbox-option.tsx'
import { useFocusReturn } from '#web/ui/use-focus-return.ts'
import { PersonAvatar } from '#web/ui/person.tsx'
import { SecondaryText } from '#web/ui/text.tsx'

const useStyles = makeStyles({
  surface: {
    marginTop: '12vh',
    width: '640px',
    maxWidth: 'calc(100vw - 24px)',
    padding: 0,
    borderRadius: tokens.borderRadiusXLarge,
    overflow: 'hidden',
  },
  input: { width: '100%', height: '56px', padding: '0 20px', border: 'none', '::after': { display: 'none' } },
  list: {
    maxHeight: '440px',
    overflowY: 'auto',
    padding: '0 8px 8px',
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  group: {
    display: 'block',
    padding: '12px 12px 4px',
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    fontWeight: tokens.fontWeightMedium,
  },
  option: { columnGap: '12px', height: '40px', padding: '0 12px' },
  match: { fontWeight: tokens.fontWeightSemibold, color: tokens.colorBrandForeground1 },
  icon: { fontSize: '20px', justifySelf: 'center', color: tokens.colorNeutralForeground3 },
  footer: {
    display: 'flex',
    columnGap: '20px',
    alignItems: 'center',
    padding: '8px 20px',
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    backgroundColor: tokens.colorNeutralBackground2,
    '@media (max-width: 639px)': { display: 'none' },
  },
  tip: { display: 'inline-flex', alignItems: 'center', columnGap: '6px' },
  empty: { display: 'block', padding: '24px 12px', textAlign: 'center' },
})

/** Highlights the query in a label; a fuzzy match may not contain it. */
function HighlightedLabel({ text, query }: { text: string; query: string }) {
  const styles = useStyles()
  const start = query === '' ? -1 : text.toLowerCase().indexOf(query.toLowerCase())
  const end = start + query.length
  return (
    <Text truncate wrap={false}>
      {start < 0 ? text : text.slice(0, start)}
      {start >= 0 && <span className={styles.match}>{text.slice(start, end)}</span>}
      {start >= 0 && text.slice(end)}
    </Text>
  )
}

const keyHints = [
  ['\u2191 \u2193', 'Move'],
  ['Enter', 'Open'],
  ['Esc', 'Close'],
] as const

type CommandOptionProps = {
  command: Command
  query: string
  isSelected: boolean
  onHover: () => void
  onPick: () => void
}

function CommandOption({
  command: { id, label, hint, icon: Icon },
  query,
  isSelected,
  onHover,
  onPick,
}: CommandOptionProps) {
  const styles = useStyles()
  return (
    <ListboxOption id={id} isActive={isSelected} className={styles.option} onActivate={onHover} onChoose={onPick}>
      {Icon ? <Icon className={styles.icon} aria-hidden /> : <PersonAvatar name={label} size={28} />}
      <HighlightedLabel text={label} query={query} />
      {hint ? <SecondaryText>{hint}</SecondaryText> : <span />}
    </ListboxOption>
  )
}

/** Searches patients and appointments, as far as the user may see them. Both are empty while nothing is searched. */
function usePaletteSearch(user: CurrentUser | null, search: string) {
  const canSearch = (permission: Permission) =>
    search.length > 1 && Boolean(user?.practiceId) && Boolean(user?.permissions.includes(permission))
  const options = { placeholderData: keepPreviousData, gcTime: 60_000, staleTime: 0 } as const
  const patients = useQuery({
    queryKey: patientKeys.paletteResults(search),
    queryFn: ({ signal }) => call(listPatients, { query: { search, limit: 6 } }, signal),
    enabled: canSearch('patients:read'),
    ...options,
  })
  const appointments = useQuery({
    queryKey: appointmentKeys.searchResults(search),
    queryFn: ({ signal }) => call(searchAppointments, { query: { search, limit: 6 } }, signal),
    enabled: canSearch('scheduling'),
    ...options,
  })
  return {
    patients: canSearch('patients:read') ? patients : { ...patients, data: [], isError: false },
    appointments: canSearch('scheduling') ? appointments : { ...appointments, data: [], isError: false },
  }
}

/** Search for patients, appointments and screens. The first result is preselected; Enter opens it. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  useFocusReturn()
  const styles = useStyles()
  const navigate = useNavigate()
  const user = useCurrentUser()
  const [query, setQuery] = useState('')
  const [selectedIndex, setSelectedIndex] = useState(0)
  const search = useDebouncedValue(query.trim(), 150)
  const { patients, appointments } = usePaletteSearch(user, search)
  const isFetching = patients.isFetching || appointments.isFetching
  const groups = [
    { name: 'Patients', commands: toPatientCommands(patients.data ?? []) },
    { name: 'Appointments', commands: toAppointmentCommands(appointments.data ?? []) },
    { name: 'Go to', commands: findScreenCommands(query, user === null || showsSampleData(user)) },
  ].filter(({ commands }) => commands.length > 0)
  const all = groups.flatMap(({ commands }) => commands)
  const selected = all[Math.min(selectedIndex, all.length - 1)]
  // Keeps the selected option visible while arrow keys move through a long list.
  useEffect(() => {
    if (selected) document.getElementById(selected.id)?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  const pick = (command: Command | undefined) => {
    if (!command) return
    onClose()
    void navigate({ to: command.to, ...(command.search ? { search: command.search } : {}) })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && all.length > 0) {
      event.preventDefault()
      setSelectedIndex((Math.min(selectedIndex, all.length - 1) + step + all.length) % all.length)
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      // The same Enter would otherwise activate the button that gets the focus on the next screen.
      event.preventDefault()
      pick(selected)
    }
  }
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogSurface className={styles.surface} aria-label="Search and commands">
        <Input
          className={styles.input}
          size="large"
          appearance="filled-lighter"
          contentBefore={<SearchRegular />}
          contentAfter={isFetching ? <Spinner size="tiny" aria-label="Searching" /> : null}
          placeholder="Find patients, appointments and screens"
          autoFocus
          value={query}
          onChange={(_, { value }) => {
            setQuery(value)
            setSelectedIndex(0)
          }}
          onKeyDown={onKeyDown}
          input={{
            role: 'combobox',
            'aria-expanded': true,
            'aria-controls': 'commands',
            'aria-activedescendant': selected?.id,
          }}
          aria-label="Find patients, appointments and screens"
        />
        <div id="commands" role="listbox" aria-label="Results" className={styles.list}>
          {groups.map(({ name, commands }) => (
            <div key={name} role="group" aria-label={name}>
              <span className={styles.group} aria-hidden="true">
                {name}
              </span>
              {commands.map((command) => (
                <CommandOption
                  key={command.id}
                  command={command}
                  query={query.trim()}
                  isSelected={command.id === selected?.id}
                  onHover={() => setSelectedIndex(all.indexOf(command))}
                  onPick={() => pick(command)}
                />
              ))}
            </div>
          ))}
        </div>
        {(patients.isError || appointments.isError) && (
          <SecondaryText className={styles.empty}>
            {patients.isError ? 'Patients' : 'Appointments'} cannot be searched right now.
          </SecondaryText>
        )}
        {all.length === 0 && !isFetching && (
          <SecondaryText className={styles.empty}>
            No results. Try a phone number, a date of birth, or the date of an appointment.
          </SecondaryText>
        )}
        <div className={styles.footer} aria-hidden="true">
          {keyHints.map(([key, description]) => (
            <SecondaryText key={key} className={styles.tip}>
              <KeyCap>{key}</KeyCap>
              {description}
            </SecondaryText>
          ))}
        </div>
      </DialogSurface>
    </Dialog>
  )
}
