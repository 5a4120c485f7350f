/**
 * Escapes a cell of a CSV file. Spreadsheets run text that starts with one of these characters as a formula; an apostrophe
 * prevents that. A semicolon is quoted too: it separates cells where spreadsheets expect a comma in numbers.
 */
export function formatCsvCell(value: string): string {
  const safe = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
