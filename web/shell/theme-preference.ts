import { createContext, useContext, useSyncExternalStore } from 'react'
import type { ThemePreference } from '#web/ui/theme-storage.ts'

const systemDarkQuery = matchMedia('(prefers-color-scheme: dark)')

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
