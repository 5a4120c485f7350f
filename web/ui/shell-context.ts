import { type ComponentType, createContext, type ReactNode, useContext } from 'react'
import { PublicFrame } from './public-frame.tsx'

/** What every screen can ask of the frame around it. */
export type ShellActions = {
  /** What a screen that failed is shown in: with the way to the other screens, where there is one. */
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
