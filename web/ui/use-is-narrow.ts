import { useSyncExternalStore } from 'react'

/**
 * Where lists have less than 640 px for themselves: gutters take 48 px of the window, and from 768 px on the sidebar
 * takes 256 more. Names and birth dates would be cut off there, and they tell people apart.
 */
const narrowMediaQuery = '(max-width: 687px), (min-width: 768px) and (max-width: 943px)'

const mediaQueryList = globalThis.matchMedia?.(narrowMediaQuery)

/** Whether the window is too narrow for a table, so that lists become cards. */
export const useIsNarrow = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      mediaQueryList?.addEventListener('change', listener)
      return () => mediaQueryList?.removeEventListener('change', listener)
    },
    () => mediaQueryList?.matches ?? false,
  )
