import { FluentProvider } from '@fluentui/react-components'
import { type ReactNode, useEffect, useState } from 'react'
import { darkTheme, lightTheme } from '#web/theme.ts'
import {
  loadThemePreference,
  saveThemePreference,
  type ThemePreference,
  ThemeContext,
  useIsSystemDark,
} from './theme-preference.ts'
import { ToastProvider } from '#web/ui/toasts.tsx'

/** Light or dark, as the computer is set or as the person chose; toasts above everything. */
export function ThemedApp({ children }: { children: ReactNode }) {
  const [choice, setChoice] = useState<ThemePreference>(loadThemePreference)
  const systemDark = useIsSystemDark()
  const dark = choice === 'system' ? systemDark : choice === 'dark'
  const theme = dark ? darkTheme : lightTheme
  useEffect(() => {
    document.documentElement.style.colorScheme = dark ? 'dark' : 'light'
    document.body.style.backgroundColor = theme.colorNeutralBackground2
  }, [dark, theme])
  const choose = (next: ThemePreference) => {
    saveThemePreference(next)
    setChoice(next)
  }
  return (
    <ThemeContext value={{ dark, choose }}>
      <FluentProvider theme={theme}>
        <ToastProvider>{children}</ToastProvider>
      </FluentProvider>
    </ThemeContext>
  )
}
