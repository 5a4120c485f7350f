const placeholderOrigin = 'https://placeholder.invalid'

/** Returns a path as an address; null when it is none. Browsers of before 2024 have no `URL.parse`. */
function parseUrl(path: string): URL | null {
  try {
    return new URL(path, placeholderOrigin)
  } catch {
    return null
  }
}

/** Returns where to go after signing in: the requested path of this app, otherwise `/`; never another site. */
export function toLocalPath(requested: string | undefined): string {
  const url = requested?.startsWith('/') ? parseUrl(requested) : null
  if (!url) return '/'
  const { origin, pathname, search, hash } = url
  // Checks the result, not the input: URL parsing turns "/.//evil.example" into "//evil.example".
  if (origin !== placeholderOrigin || pathname.startsWith('//') || /^\/auth(\/|$)/.test(pathname)) return '/'
  return pathname + search + hash
}
