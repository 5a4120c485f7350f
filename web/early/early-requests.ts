import { addDays, getStartOfDay, toLocalDate } from '#contracts/values/calendar.ts'

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
  '/appointments': ({ permissions }) => (permissions.includes('scheduling') ? ['/api/providers'] : []),
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

/** Returns whether a window shows the schedule of today: what it requests depends on the time zone of the practice. */
export const showsToday = ({ pathname, search }: { pathname: string; search: string }): boolean =>
  pathname === '/appointments' && search === ''

/** Returns whether a window shows the time of the practice first. */
export const showsTime = ({ pathname }: { pathname: string }): boolean =>
  ['/', '/dashboard', '/patients'].includes(pathname)

/**
 * Lists the URLs of what the schedule of today shows in a time zone, as its queries request them: the day, and the working time and
 * how full the days are in its month.
 */
export function listTodayRequests(zone: string, now: Date): string[] {
  const today = toLocalDate(now, zone)
  const first = `${today.slice(0, 7)}-01`
  const next = `${addDays(first, 31).slice(0, 7)}-01`
  const day = { startDate: getStartOfDay(today, zone), endDate: getStartOfDay(addDays(today, 1), zone) }
  const month = new URLSearchParams({ from: addDays(first, -6), until: addDays(next, 5) })
  return [
    `/api/appointments?${new URLSearchParams(day)}`,
    `/api/working-hours?${month}`,
    `/api/appointments/busy-days?${month}`,
  ]
}
