import { createContext, useContext, useSyncExternalStore } from 'react'

/** What a person chose; "system" follows the computer. */
export type ThemePreference = 'system' | 'light' | 'dark'

const storageKey = 'everchart.theme'
const systemDarkQuery = matchMedia('(prefers-color-scheme: dark)')

/** What was chosen on this computer before. */
export function loadThemePreference(): ThemePreference {
  const kept = localStorage.getItem(storageKey)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

export function saveThemePreference(choice: ThemePreference): void {
  if (choice === 'system') localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, choice)
}

/** Whether the computer itself is set to dark. */
export const useIsSystemDark = () =>
  useSyncExternalStore(
    (changed) => {
      systemDarkQuery.addEventListener('change', changed)
      return () => systemDarkQuery.removeEventListener('change', changed)
    },
    () => systemDarkQuery.matches,
  )

type ThemeContext = { dark: boolean; choose: (choice: ThemePreference) => void }

export const ThemeContext = createContext<ThemeContext>({ dark: false, choose: () => undefined })

/** Whether the dark theme is on, and how to change that. */
export const useTheme = () => useContext(ThemeContext)
