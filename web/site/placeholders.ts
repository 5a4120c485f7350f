/**
 * Placeholders that the server replaces in the built pages: they are rendered before the address of the installation and its settings are
 * known. Reserved names (RFC 2606), so that a placeholder that is left over leads nowhere.
 */
export const placeholders = {
  /** The address of the installation, without a trailing slash. */
  origin: 'https://everchart.invalid',
  /** The operator's e-mail address. Links to it lead to `/help#contact` when none is configured. */
  contact: 'contact@everchart.invalid',
  /** The same address for sales; links to it lead to `/auth?tab=register` when none is configured. */
  sales: 'sales@everchart.invalid',
} as const
