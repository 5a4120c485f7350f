/**
 * Paths of the screens of the web app, as its router has them: the server replies 404 to all others. `/` is a screen for
 * signed-in users and a public page for visitors.
 */
export const appPaths: readonly string[] = [
  '/',
  '/auth',
  '/forgot',
  '/reset/$token',
  '/email/$token',
  '/confirm-email/$token',
  '/two-factor',
  '/welcome',
  '/onboarding',
  '/demo',
  '/dashboard',
  '/patients',
  '/patients/import',
  '/patients/$patientId',
  '/appointments',
  '/ai-insights',
  '/forms',
  '/forms/$formId',
  '/forms/$formId/fill',
  '/insurance',
  '/analytics',
  '/automation',
  '/under-development',
  '/practice',
  '/team',
  '/invitations/$token',
  '/f/$token',
  '/subscription',
  '/manage-subscription',
  '/billing-portal',
]

/** `$patientId` is one part of a path; a slash may follow. */
const toPattern = (path: string) => (path === '/' ? /^\/$/ : new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+')}/?$`))

const patterns = appPaths.map(toPattern)

/** Returns whether a path belongs to a screen of the web app. */
export const isAppPath = (path: string): boolean => patterns.some((pattern) => pattern.test(path))
