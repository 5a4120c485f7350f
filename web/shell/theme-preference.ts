import { createContext, useContext, useSyncExternalStore } from 'react'

/** Theme chosen by the user; "system" follows the operating system. */
export type ThemePreference = 'system' | 'light' | 'dark'

const storageKey = 'everchart.theme'
const systemDarkQuery = matchMedia('(prefers-color-scheme: dark)')

/** Returns the theme preference stored in this browser. */
export function loadThemePreference(): ThemePreference {
  const stored = localStorage.getItem(storageKey)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export function saveThemePreference(preference: ThemePreference): void {
  if (preference === 'system') localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, preference)
}

/** Returns whether the operating system is set to dark. */
export const useIsSystemDark = () =>
  useSyncExternalStore(
    (onChange) => {
      systemDarkQuery.addEventListener('change', onChange)
      return () => systemDarkQuery.removeEventListener('change', onChange)
    },
    () => systemDarkQuery.matches,
  )

type ThemeContext = { dark: boolean; setPreference: (preference: ThemePreference) => void }

export const ThemeContext = createContext<ThemeContext>({ dark: false, setPreference: () => undefined })

/** Returns whether the dark theme is active, and the function that changes the preference. */
export const useTheme = () => useContext(ThemeContext)
