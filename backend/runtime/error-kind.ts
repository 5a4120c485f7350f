/** Returns the kind and code of an error, such as `RangeError`; never its message, which may contain data. */
export function getErrorKind(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code } = error as { code?: unknown }
  return typeof code === 'string' || typeof code === 'number' ? `${error.name} ${code}`.trim() : error.name
}
