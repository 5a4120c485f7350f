import { useSyncExternalStore } from 'react'

/** Creates a hook that returns whether a media query matches, also after the window changes; false where there are no windows. */
export function createMediaQueryHook(query: string): () => boolean {
  const list = globalThis.matchMedia?.(query)
  const subscribe = (listener: () => void) => {
    list?.addEventListener('change', listener)
    return () => list?.removeEventListener('change', listener)
  }
  return () => useSyncExternalStore(subscribe, () => list?.matches ?? false)
}
