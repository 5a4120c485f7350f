import { createContext, useContext } from 'react'

/** The function that explains that an action needs an account; null outside the public demo. */
export const AccountNeededContext = createContext<((action: string) => void) | null>(null)

/** Returns the function that explains to visitors of the public demo that an action needs an account; null for users. */
export const useAccountNeeded = () => useContext(AccountNeededContext)
