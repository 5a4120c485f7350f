import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let isLocked = false

/**
 * Returns whether this window is locked: its user's session has ended, but the page is kept, hidden, with what was typed into
 * it, until they unlock it.
 */
export const isScreenLocked = (): boolean => isLocked

/** Locks or unlocks this window. The attribute hides the page, by `base.css`. */
export function setScreenLocked(locked: boolean): void {
  isLocked = locked
  document.body.toggleAttribute('data-locked', locked)
  for (const notify of listeners) notify()
}

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange)
  return () => listeners.delete(onChange)
}

/** Returns whether this window is locked, as state. */
export const useIsScreenLocked = (): boolean => useSyncExternalStore(subscribe, isScreenLocked)
