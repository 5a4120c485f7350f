/** Theme chosen by the user; "system" follows the operating system. */
export type ThemePreference = 'system' | 'light' | 'dark'

const storageKey = 'everchart.theme'

/** Returns the theme preference stored in this browser. */
export function loadThemePreference(): ThemePreference {
  const stored = localStorage.getItem(storageKey)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export function saveThemePreference(preference: ThemePreference): void {
  if (preference === 'system') localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, preference)
}
