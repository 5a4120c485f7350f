const storageKey = 'everchart.last-input'

/**
 * Stores in this browser when the user was last active, in epoch milliseconds, for windows that missed the message: the browser
 * may suspend a window in the background.
 */
export const saveLastInput = (at: number): void => localStorage.setItem(storageKey, String(at))

/** Returns when a user was last active in any window; 0 if that is unknown, or in the future after the clock was set back. */
export function loadLastInput(now: number): number {
  const at = Number(localStorage.getItem(storageKey))
  return at <= now ? at : 0
}

/** Forgets the activity of a user who signs out. */
export const forgetLastInput = (): void => localStorage.removeItem(storageKey)

/** Returns whether a user may be signed in to this browser, without asking the server: it was used since the last sign-out. */
export const mayBeSignedIn = (): boolean => localStorage.getItem(storageKey) !== null
