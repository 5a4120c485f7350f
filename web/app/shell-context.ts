import { createContext, useContext } from 'react'

/** What every screen can ask of the frame around it. */
export type ShellCalls = { openMenu: () => void; openPalette: () => void; openHelp: () => void }

const nothing = () => undefined

export const ShellContext = createContext<ShellCalls>({ openMenu: nothing, openPalette: nothing, openHelp: nothing })

export const useShell = () => useContext(ShellContext)
