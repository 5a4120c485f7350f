import { FluentProvider } from '@fluentui/react-components'
import { type ReactNode, useEffect, useState } from 'react'
import { darkTheme, lightTheme } from '#web/theme.ts'
import { loadThemePreference, saveThemePreference, type ThemePreference } from '#web/ui/theme-storage.ts'
import { createMediaQueryHook } from '#web/ui/use-media-query.ts'
import { Kept } from '#web/ui/kept.tsx'
import { ThemeContext, useIsSystemDark } from './theme-preference.ts'
import { ToastProvider } from '#web/ui/toasts.tsx'

const useIsPrinting = createMediaQueryHook('print')

/** Applies the light or dark theme, as the user chose or the system is set, light on paper; and provides toasts. */
export function ThemedApp({ children }: { children: ReactNode }) {
  const [preference, setPreference] = useState<ThemePreference>(loadThemePreference)
  const systemDark = useIsSystemDark()
  const isPrinting = useIsPrinting()
  const dark = !isPrinting && (preference === 'system' ? systemDark : preference === 'dark')
  const theme = dark ? darkTheme : lightTheme
  useEffect(() => {
    document.documentElement.style.colorScheme = dark ? 'dark' : 'light'
    document.body.style.backgroundColor = theme.colorNeutralBackground2
  }, [dark, theme])
  const choosePreference = (next: ThemePreference) => {
    saveThemePreference(next)
    setPreference(next)
  }
  return (
    <ThemeContext value={{ dark, setPreference: choosePreference }}>
      <FluentProvider theme={theme}>
        <ToastProvider>{children}</ToastProvider>
        <Kept />
      </FluentProvider>
    </ThemeContext>
  )
}
