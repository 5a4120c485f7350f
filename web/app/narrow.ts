import { useSyncExternalStore } from 'react'

const query = globalThis.matchMedia?.('(max-width: 639px)')

/** Whether the window is too narrow for a table, so that lists become cards. */
export const useNarrow = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      query?.addEventListener('change', listener)
      return () => query?.removeEventListener('change', listener)
    },
    () => query?.matches ?? false,
  )
