import { expect, it } from 'vitest'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { Permission } from '#contracts/values/roles.ts'
import { findActionCommands, findScreenCommands } from '#web/shell/palette-commands.ts'

const asUser = (permissions: Permission[], practiceId: string | null = 'a practice') =>
  ({ permissions, practiceId }) as CurrentUser
const receptionist = asUser(['patients:read', 'patients:write', 'scheduling'])

const called: string[] = []
const actions = {
  isDark: false,
  onSwitchTheme: () => void called.push('theme'),
  onShortcuts: () => void called.push('shortcuts'),
  onSignOut: () => void called.push('sign-out'),
}
const listLabels = (query: string, user: CurrentUser | null = receptionist, more: object = {}) =>
  findActionCommands(query, user, { ...actions, ...more }).map(({ label }) => label)

it('matches actions by any part of their name, as screens', () => {
  expect(listLabels('')).toEqual([
    'Schedule appointment',
    'Add patient',
    'Import patients',
    'Create form',
    'Use the dark theme',
    'Keyboard shortcuts',
    'Sign out',
  ])
  expect(listLabels(' PATIENT ')).toEqual(['Add patient', 'Import patients'])
  expect(listLabels('sched')).toEqual(['Schedule appointment'])
  expect(listLabels('appointment')).toEqual(['Schedule appointment'])
  expect(listLabels('xyz')).toEqual([])
  expect(findScreenCommands('PATIENT', null, false).map(({ label }) => label)).toEqual(['Patients'])
})

it('offers the theme that is not in use', () => {
  expect(listLabels('theme')).toEqual(['Use the dark theme'])
  expect(listLabels('theme', receptionist, { isDark: true })).toEqual(['Use the light theme'])
})

it('offers what the user may do', () => {
  const always = ['Use the dark theme', 'Keyboard shortcuts', 'Sign out']
  expect(listLabels('', asUser(['patients:read', 'scheduling']))).toEqual(['Schedule appointment', ...always])
  expect(listLabels('', asUser(['patients:write']))).toEqual([
    'Add patient',
    'Import patients',
    'Create form',
    ...always,
  ])
  expect(listLabels('', asUser(['patients:write', 'scheduling'], null))).toEqual(always)
  expect(listLabels('', null)).toEqual(always)
})

it('offers the screens that the user may open', () => {
  const listScreens = (user: CurrentUser | null) => findScreenCommands('', user, false).map(({ label }) => label)
  expect(listScreens(receptionist)).toContain('Appointments')
  expect(listScreens(receptionist)).not.toContain('Team')
  expect(listScreens(asUser(['patients:read', 'audit']))).not.toContain('Appointments')
  expect(listScreens(asUser(['users', 'scheduling']))).toEqual(expect.arrayContaining(['Appointments', 'Team']))
})

it('opens the form of a new record on its screen, and calls what has no screen', () => {
  const commands = findActionCommands('', receptionist, actions)
  expect(commands.flatMap((command) => ('to' in command ? [[command.to, command.search]] : []))).toEqual([
    ['/appointments', { new: true }],
    ['/patients', { new: true }],
    ['/patients/import', undefined],
    ['/forms', { new: true }],
  ])
  for (const command of commands) if ('run' in command) command.run()
  expect(called).toEqual(['theme', 'shortcuts', 'sign-out'])
})
