/** Search parameters of the settings: the tab, the first one by default. */
export type SettingsSearch = { tab?: string }

/** Parses search parameters; the screen ignores a tab that it does not have. */
export const parseSettingsSearch = ({ tab }: Record<string, unknown>): SettingsSearch =>
  typeof tab === 'string' && /^[a-z]{1,20}$/.test(tab) ? { tab } : {}
