import { Dialog, DialogSurface, Input, makeStyles, Spinner, Text, tokens } from '@fluentui/react-components'
import { SearchRegular } from '@fluentui/react-icons/svg/search'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { searchAppointments } from '#contracts/appointments.ts'
import { listPatients } from '#contracts/patients.ts'
import { call } from '#web/api/call.ts'
import {
  type Command,
  findActionCommands,
  findScreenCommands,
  toAppointmentCommands,
  toPatientCommands,
} from './palette-commands.ts'
import { useTheme } from './theme-preference.ts'
import { appointmentKeys } from '#web/entities/appointments/appointment-keys.ts'
import { patientKeys } from '#web/entities/patients/patient-keys.ts'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { Permission } from '#contracts/values/roles.ts'
import { showsSampleData } from '#contracts/values/tiers.ts'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { useSignOut } from '#web/entities/accounts/use-sign-out.ts'
import { useDebouncedValue } from '#web/ui/use-debounced-value.ts'
import { useDeferredAction } from '#web/ui/use-deferred-action.ts'
import { KeyCap } from '#web/ui/key-cap.tsx'
import { ListboxOption } from '#web/ui/listbox-option.tsx'
import { useShell } from '#web/ui/shell-context.ts'
import { useModalFocus } from '#web/ui/focus-manager.tsx'
import { PersonAvatar } from '#web/ui/person.tsx'
import { SecondaryText } from '#web/ui/text.tsx'

const useStyles = makeStyles({
  surface: {
    marginTop: '12vh',
    width: '640px',
    maxWidth: 'calc(100vw - 24px)',
    // Fluent lets it touch the edges of a phone.
    '@media screen and (max-width: 480px)': { maxWidth: 'calc(100vw - 24px)' },
    padding: 0,
    borderRadius: tokens.borderRadiusXLarge,
    overflow: 'hidden',
  },
  input: { width: '100%', height: '56px', padding: '0 20px', border: 'none', '::after': { display: 'none' } },
  list: {
    // Of a low window, or above the keyboard of a phone, all the rest is left.
    maxHeight: 'min(440px, calc(88dvh - 120px))',
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
  option: {
    columnGap: '12px',
    height: '40px',
    padding: '0 12px',
    '@media (max-width: 639px)': { height: 'auto', minHeight: '40px', padding: '6px 12px', boxSizing: 'border-box' },
  },
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

/** Searches patients and appointments once typing pauses, as far as the user may see them. */
function usePaletteSearch(user: CurrentUser | null, typed: string) {
  const paused = useDebouncedValue(typed, 150)
  const isSearched = typed.length > 1
  const search = isSearched ? paused : ''
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
  const isFetching = patients.isFetching || appointments.isFetching
  const hasPreviousResults = patients.isPlaceholderData || appointments.isPlaceholderData
  return {
    patients: (isSearched && patients.data) || [],
    appointments: (isSearched && appointments.data) || [],
    failedSearch: patients.isError ? 'Patients' : appointments.isError ? 'Appointments' : null,
    isFetching,
    /** The results belong to the text as it is typed now. */
    isCurrent: !isSearched || (search === typed && !isFetching && !hasPreviousResults),
  }
}

/** Returns the actions whose name contains the query. */
function useActionCommands(query: string, user: CurrentUser | null): Command[] {
  const { dark, setPreference } = useTheme()
  const { openHelp } = useShell()
  const signOut = useSignOut()
  return findActionCommands(query, user, {
    isDark: dark,
    onSwitchTheme: () => setPreference(dark ? 'light' : 'dark'),
    onShortcuts: openHelp,
    onSignOut: () => signOut.mutate(),
  })
}

/**
 * Search for patients, appointments, screens and actions. The first result is preselected; Enter opens it, as soon as it belongs to
 * the typed text.
 */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  useModalFocus()
  const styles = useStyles()
  const navigate = useNavigate()
  const user = useCurrentUser()
  const [query, setQuery] = useState('')
  // By id, because results that arrive later shift the screens and actions down.
  const [selectedId, setSelectedId] = useState<string | null>(null)
  const { patients, appointments, failedSearch, isFetching, isCurrent } = usePaletteSearch(user, query.trim())
  const screens = findScreenCommands(query, user, user === null || showsSampleData(user))
  const actions = useActionCommands(query, user)
  const groups = [
    { name: 'Patients', commands: toPatientCommands(patients) },
    { name: 'Appointments', commands: toAppointmentCommands(appointments) },
    { name: 'Go to', commands: screens },
    { name: 'Actions', commands: actions },
  ].filter(({ commands }) => commands.length > 0)
  const all = groups.flatMap(({ commands }) => commands)
  const selected = all.find(({ id }) => id === selectedId) ?? all[0]
  // Keeps the selected option visible while arrow keys move through a long list.
  useEffect(() => {
    if (selected) document.getElementById(selected.id)?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  const pick = (command: Command | undefined) => {
    if (!command) return
    onClose()
    if ('run' in command) command.run()
    else void navigate({ to: command.to, ...(command.search ? { search: command.search } : {}) })
  }
  const earlyEnter = useDeferredAction<'pick'>(isCurrent, () => pick(selected))
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && selected) {
      event.preventDefault()
      setSelectedId(all.at((all.indexOf(selected) + step) % all.length)?.id ?? null)
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      // The same Enter would otherwise activate the button that gets the focus on the next screen.
      event.preventDefault()
      const isUnsearched = [...screens, ...actions].some(({ id }) => id === selectedId)
      if (isCurrent || isUnsearched) pick(selected)
      else earlyEnter.defer('pick')
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
            setSelectedId(null)
            earlyEnter.cancel()
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
                  onHover={() => setSelectedId(command.id)}
                  onPick={() => pick(command)}
                />
              ))}
            </div>
          ))}
        </div>
        {failedSearch && (
          <SecondaryText className={styles.empty}>{failedSearch} cannot be searched right now.</SecondaryText>
        )}
        {all.length === 0 && isCurrent && (
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
