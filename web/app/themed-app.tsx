import { FluentProvider } from '@fluentui/react-components'
import { type ReactNode, useEffect, useState } from 'react'
import { darkTheme, lightTheme } from '#web/theme.ts'
import { rememberedTheme, rememberTheme, type ThemeChoice, ThemeContext, useSystemDark } from './theme-choice.ts'
import { Toasts } from './toasts.tsx'

/** Light or dark, as the computer is set or as the person chose; toasts above everything. */
export function ThemedApp({ children }: { children: ReactNode }) {
  const [choice, setChoice] = useState<ThemeChoice>(rememberedTheme)
  const systemDark = useSystemDark()
  const dark = choice === 'system' ? systemDark : choice === 'dark'
  const theme = dark ? darkTheme : lightTheme
  useEffect(() => {
    document.documentElement.style.colorScheme = dark ? 'dark' : 'light'
    document.body.style.backgroundColor = theme.colorNeutralBackground2
  }, [dark, theme])
  const choose = (next: ThemeChoice) => {
    rememberTheme(next)
    setChoice(next)
  }
  return (
    <ThemeContext value={{ dark, choose }}>
      <FluentProvider theme={theme}>
        <Toasts>{children}</Toasts>
      </FluentProvider>
    </ThemeContext>
  )
}
