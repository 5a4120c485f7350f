/** Where to go after signing in: a path of this app, or the start. An address of somebody else's is never followed. */
export function localPath(wanted: string | undefined): string {
  if (!wanted?.startsWith('/') || /^\/[/\\]/.test(wanted)) return '/'
  const base = 'https://here.invalid'
  const url = URL.canParse(wanted, base) ? new URL(wanted, base) : null
  return url?.origin === base && !url.pathname.startsWith('/auth') ? `${url.pathname}${url.search}${url.hash}` : '/'
}
