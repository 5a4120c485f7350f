/** Formats a time zone (IANA name), "America/New_York" as "America/New York". */
export const formatTimeZone = (timeZone: string): string => timeZone.replaceAll('_', ' ')
