/** Normalizes a username; usernames that people would confuse by case are equal: `Straße`, `STRASSE`, `strasse`. */
export const normalizeUsername = (username: string): string =>
  // Upper case maps sharp s, final sigma and dotless i to their plain forms; a capital sharp s must be lower case before that.
  username.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC')
