import { type ComponentType, createContext, type ReactNode, useContext } from 'react'
import { PublicFrame } from './public-frame.tsx'

/** Actions of the application frame that any screen can call. */
export type ShellActions = {
  /** Frame for the error screen; inside the shell it includes the navigation. */
  Frame: ComponentType<{ title: string; children: ReactNode }>
  openMenu: () => void
  openPalette: () => void
  openHelp: () => void
}

const noop = () => undefined

export const ShellContext = createContext<ShellActions>({
  Frame: PublicFrame,
  openMenu: noop,
  openPalette: noop,
  openHelp: noop,
})

export const useShell = () => useContext(ShellContext)
