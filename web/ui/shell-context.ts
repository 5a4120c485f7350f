import { type ComponentType, createContext, type ReactNode, useContext } from 'react'
import { PublicFrame } from './public-frame.tsx'

/** Parts and actions of the application frame for any screen. */
export type ShellActions = {
  /** Frame for the error screen; inside the shell it includes the navigation. */
  Frame: ComponentType<{ title: string; children: ReactNode }>
  /** The notifications, in the header of every screen; null outside the shell. */
  bell: ReactNode
  openMenu: () => void
  openPalette: () => void
  openHelp: () => void
}

const noop = () => undefined

export const ShellContext = createContext<ShellActions>({
  Frame: PublicFrame,
  bell: null,
  openMenu: noop,
  openPalette: noop,
  openHelp: noop,
})

export const useShell = () => useContext(ShellContext)
