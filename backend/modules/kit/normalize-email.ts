/** Normalizes an e-mail address; addresses that differ only in case or width are equal. */
export const normalizeEmail = (email: string): string => email.normalize('NFKC').toLowerCase()
