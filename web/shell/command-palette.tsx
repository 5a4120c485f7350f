import {
  Dialog,
  DialogSurface,
  Input,
  makeStyles,
  mergeClasses,
  Spinner,
  Text,
  tokens,
} from '@fluentui/react-components'
import { SearchRegular } from '@fluentui/react-icons/svg/search'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { listPatients } from '#contracts/patients.ts'
import { call } from '#web/api/call.ts'
import { type Command, toPatientCommands, findScreenCommands } from './palette-commands.ts'
import { isShownSampleData, useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { useDebouncedValue } from '#web/ui/use-debounced-value.ts'
import { KeyCap } from '#web/ui/key-cap.tsx'
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
  ask: { width: '100%', height: '56px', padding: '0 20px', border: 'none', '::after': { display: 'none' } },
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
  option: {
    display: 'grid',
    gridTemplateColumns: '28px minmax(0, 1fr) auto',
    alignItems: 'center',
    columnGap: '12px',
    height: '40px',
    padding: '0 12px',
    borderRadius: tokens.borderRadiusMedium,
    cursor: 'pointer',
  },
  hit: { fontWeight: tokens.fontWeightSemibold, color: tokens.colorBrandForeground1 },
  here: { backgroundColor: tokens.colorNeutralBackground1Selected },
  icon: { fontSize: '20px', justifySelf: 'center', color: tokens.colorNeutralForeground3 },
  foot: {
    display: 'flex',
    columnGap: '20px',
    alignItems: 'center',
    padding: '8px 20px',
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    backgroundColor: tokens.colorNeutralBackground2,
    '@media (max-width: 639px)': { display: 'none' },
  },
  tip: { display: 'inline-flex', alignItems: 'center', columnGap: '6px' },
  none: { display: 'block', padding: '24px 12px', textAlign: 'center' },
})

/** What was typed stands out where it is found; a misspelt name has no such place. */
function HighlightedLabel({ words, query }: { words: string; query: string }) {
  const styles = useStyles()
  const at = query === '' ? -1 : words.toLowerCase().indexOf(query.toLowerCase())
  const end = at + query.length
  return (
    <Text truncate wrap={false}>
      {at < 0 ? words : words.slice(0, at)}
      {at >= 0 && <span className={styles.hit}>{words.slice(at, end)}</span>}
      {at >= 0 && words.slice(end)}
    </Text>
  )
}

const keyHints = [
  ['\u2191 \u2193', 'Move'],
  ['Enter', 'Open'],
  ['Esc', 'Close'],
] as const

type CommandOptionProps = { command: Command; query: string; here: boolean; onHover: () => void; onPick: () => void }

function CommandOption({ command: { id, label, hint, icon: Icon }, query, here, onHover, onPick }: CommandOptionProps) {
  const styles = useStyles()
  return (
    // Keys are handled where the focus is: in the field above (aria-activedescendant).
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={here}
      className={mergeClasses(styles.option, here && styles.here)}
      onMouseMove={onHover}
      onClick={onPick}
    >
      {Icon ? <Icon className={styles.icon} aria-hidden /> : <PersonAvatar name={label} size={28} />}
      <HighlightedLabel words={label} query={query} />
      {hint ? <SecondaryText>{hint}</SecondaryText> : <span />}
    </div>
  )
}

/** One field for everything: a patient or a screen. What was found first is chosen already, Enter takes it. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  useFocusReturn()
  const styles = useStyles()
  const navigate = useNavigate()
  const user = useCurrentUser()
  const [query, setQuery] = useState('')
  const [at, move] = useState(0)
  const search = useDebouncedValue(query.trim(), 150)
  const canFind = search.length > 1 && Boolean(user?.practiceId) && Boolean(user?.permissions.includes('patients:read'))
  const patients = useQuery({
    queryKey: ['patients', 'palette', search],
    queryFn: ({ signal }) => call(listPatients, { query: { search, limit: 6 } }, signal),
    enabled: canFind,
    placeholderData: keepPreviousData,
    gcTime: 60_000,
    staleTime: 0,
  })
  const found = canFind ? toPatientCommands(patients.data ?? []) : []
  const groups = [
    { name: 'Patients', commands: found },
    { name: 'Go to', commands: findScreenCommands(query, user === null || isShownSampleData(user)) },
  ].filter(({ commands }) => commands.length > 0)
  const all = groups.flatMap(({ commands }) => commands)
  const chosen = all[Math.min(at, all.length - 1)]
  // The chosen one stays in sight while arrows move through a long list.
  useEffect(() => {
    if (chosen) document.getElementById(chosen.id)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const pick = (command: Command | undefined) => {
    if (!command) return
    onClose()
    void navigate({ to: command.to })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && all.length > 0) {
      event.preventDefault()
      move((Math.min(at, all.length - 1) + step + all.length) % all.length)
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      // Otherwise the same Enter also presses the button that has the focus on the next screen.
      event.preventDefault()
      pick(chosen)
    }
  }
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogSurface className={styles.surface} aria-label="Search and commands">
        <Input
          className={styles.ask}
          size="large"
          appearance="filled-lighter"
          contentBefore={<SearchRegular />}
          contentAfter={patients.isFetching ? <Spinner size="tiny" aria-label="Searching" /> : null}
          placeholder="Find a patient or a screen"
          autoFocus
          value={query}
          onChange={(_, { value }) => {
            setQuery(value)
            move(0)
          }}
          onKeyDown={onKeyDown}
          input={{
            role: 'combobox',
            'aria-expanded': true,
            'aria-controls': 'commands',
            'aria-activedescendant': chosen?.id,
          }}
          aria-label="Find a patient or a screen"
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
                  here={command.id === chosen?.id}
                  onHover={() => move(all.indexOf(command))}
                  onPick={() => pick(command)}
                />
              ))}
            </div>
          ))}
        </div>
        {patients.isError && canFind && (
          <SecondaryText className={styles.none}>Patients cannot be searched right now.</SecondaryText>
        )}
        {all.length === 0 && !patients.isFetching && (
          <SecondaryText className={styles.none}>Nothing found. Try a phone number or a date of birth.</SecondaryText>
        )}
        <div className={styles.foot} aria-hidden="true">
          {keyHints.map(([key, word]) => (
            <SecondaryText key={key} className={styles.tip}>
              <KeyCap>{key}</KeyCap>
              {word}
            </SecondaryText>
          ))}
        </div>
      </DialogSurface>
    </Dialog>
  )
}
