const placeholderOrigin = 'https://here.invalid'

/** Where to go after signing in: a path of this app, or the start. An address of somebody else's is never followed. */
export function toLocalPath(wanted: string | undefined): string {
  if (!wanted?.startsWith('/') || !URL.canParse(wanted, placeholderOrigin)) return '/'
  const { origin, pathname, search, hash } = new URL(wanted, placeholderOrigin)
  // What comes out is judged, not what went in: "/.//evil.example" is tidied up to "//evil.example".
  if (origin !== placeholderOrigin || pathname.startsWith('//') || /^\/auth(\/|$)/.test(pathname)) return '/'
  return pathname + search + hash
}
