/** The part of the current user on which the first requests of a window depend. */
export type EarlyUser = {
  practiceId: string | null
  isActiveSubscriber: boolean
  mustSetUpTwoFactor: boolean
  permissions: readonly string[]
}

/** URLs that a screen requests when it opens, each under the condition of the screen. */
const screens: Record<string, (user: EarlyUser) => string[]> = {
  '/dashboard': ({ permissions }) => [
    ...(permissions.includes('patients:write') || permissions.includes('scheduling')
      ? ['/api/appointments/today']
      : []),
    '/api/patients?limit=5&sort=-updatedAt',
    '/api/dashboard/trends?period=7days',
    '/api/forms?limit=5',
  ],
  '/appointments': () => ['/api/providers'],
  '/patients': () => ['/api/patients?limit=25&offset=0'],
}

const framed =
  /^\/(?:$|(?:dashboard|patients|appointments|ai-insights|forms|insurance|analytics|automation|practice|team)(?:\/|$))/

/** Returns whether the screen of a path has the frame of the application: others are for visitors, or show nothing of a practice. */
export const isFramed = (path: string): boolean => framed.test(path)

/**
 * Lists the URLs of what a window shows first, once its user is known: exactly those that its queries request, which take the replies.
 * Nothing for users who see the sample practice or have something to set up first, and less for addresses with a search.
 */
export function listEarlyRequests(
  { pathname, search }: { pathname: string; search: string },
  user: EarlyUser,
): string[] {
  const { practiceId, isActiveSubscriber, mustSetUpTwoFactor, permissions } = user
  if (practiceId === null || !isActiveSubscriber || mustSetUpTwoFactor || !isFramed(pathname)) return []
  const screen = search === '' ? screens[pathname === '/' ? '/dashboard' : pathname] : undefined
  const billing = permissions.includes('billing') ? ['/api/subscription/status'] : []
  return [`/api/practices/${practiceId}`, '/api/dashboard/stats', ...billing, ...(screen?.(user) ?? [])]
}
