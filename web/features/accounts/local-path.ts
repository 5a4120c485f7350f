const placeholderOrigin = 'https://placeholder.invalid'

/** Returns where to go after signing in: the requested path of this app, otherwise `/`; never another site. */
export function toLocalPath(requested: string | undefined): string {
  if (!requested?.startsWith('/') || !URL.canParse(requested, placeholderOrigin)) return '/'
  const { origin, pathname, search, hash } = new URL(requested, placeholderOrigin)
  // Checks the result, not the input: URL parsing turns "/.//evil.example" into "//evil.example".
  if (origin !== placeholderOrigin || pathname.startsWith('//') || /^\/auth(\/|$)/.test(pathname)) return '/'
  return pathname + search + hash
}
