import { useSyncExternalStore } from 'react'

/**
 * Matches when a list has less than 640 px: gutters take 48 px of the window and, from 768 px on, the sidebar another 256.
 * A table would cut off names and dates of birth there, which identify patients.
 */
const narrowMediaQuery = '(max-width: 687px), (min-width: 768px) and (max-width: 943px)'

const mediaQueryList = globalThis.matchMedia?.(narrowMediaQuery)

/** Returns whether the window is too narrow for a table, so that lists become cards. */
export const useIsNarrow = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      mediaQueryList?.addEventListener('change', listener)
      return () => mediaQueryList?.removeEventListener('change', listener)
    },
    () => mediaQueryList?.matches ?? false,
  )
