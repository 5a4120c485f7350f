import type { EarlyReplies } from '#web/api/early-replies.ts'
import { mayBeSignedIn } from '#web/api/last-input.ts'
import { toLocalTime } from '#contracts/values/calendar.ts'
import {
  type EarlyUser,
  isFramed,
  listEarlyRequests,
  listTodayRequests,
  showsTime,
  showsToday,
} from './early-requests.ts'

/** Milliseconds after which the application asks again. */
const maxReplyMs = 10_000

const userUrl = '/api/user'

/** The screen of visitors, to which those of other screens are led. It leads users on who are signed in. */
const signInPath = '/auth'

/** Prepares to send requests whose replies the application takes, and returns the function that sends one. */
function collectReplies(): (url: string) => Promise<Response> {
  const replies: EarlyReplies['byUrl'] = new Map()
  window.earlyReplies = { startedAt: Date.now(), byUrl: replies }
  return (url) => {
    const reply = fetch(url, { credentials: 'include', signal: AbortSignal.timeout(maxReplyMs) })
    reply.catch(() => replies.delete(url))
    replies.set(url, reply)
    return reply
  }
}

/**
 * Runs before the application has arrived, and needs nothing of it: asks who the user is and for what their screen shows, then fetches
 * the code behind the sign-in, and then the font. On a phone, this takes a second off each load.
 */
async function startEarly(request: (url: string) => Promise<Response>): Promise<void> {
  const reply = await request(userUrl)
  // The application reads it, too.
  const copy = reply.clone()
  if (!copy.ok) return fetchCode(signInPath)
  const user = (await copy.json()) as EarlyUser
  // After the user, whose reply says from where on changes are announced.
  const sent = listEarlyRequests(location, user).map((url) => ({ url, reply: request(url) }))
  const replies = Promise.allSettled(sent.map(({ reply }) => reply))
  const practice = sent.find(({ url }) => url.startsWith('/api/practices/'))
  const needsToday = showsToday(location) && user.permissions.includes('scheduling')
  if (practice && (needsToday || showsTime(location)))
    startToday(practice.reply, needsToday ? request : null).catch(() => undefined)
  await Promise.race([replies, whenFetched()])
  // Not before: it would delay the scripts of the page. Not after these have arrived: nothing would be on its way while they run.
  fetchCode(location.pathname, '*')
  await whenFetched()
  // Before anything is painted in it: figures in another font have other widths.
  await document.fonts.load('1em "Hanken Grotesk Variable"')
}

/** Asks for the schedule of today, where it is shown, once the reply with the practice says when today is. */
async function startToday(
  reply: Promise<Response>,
  request: ((url: string) => Promise<Response>) | null,
): Promise<void> {
  // The application reads it, too.
  const copy = (await reply).clone()
  if (!copy.ok) return
  const { timezone } = (await copy.json()) as { timezone: string }
  // A phone takes a tenth of a second for the first time in a time zone, here while it waits for the scripts.
  toLocalTime(new Date(), timezone)
  if (request) for (const url of listTodayRequests(timezone, new Date())) request(url).catch(() => undefined)
}

/** Resolves when the scripts that the page has named by now have arrived: the font would only delay them. */
function whenFetched(): Promise<void> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]')]
  const scripts = [...document.querySelectorAll<HTMLScriptElement>('script[type=module]:not([async])')]
  const missing = new Set([...links.map(({ href }) => href), ...scripts.map(({ src }) => src)])
  return new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      for (const { name } of list.getEntries()) missing.delete(name)
      if (missing.size > 0) return
      observer.disconnect()
      resolve()
    })
    observer.observe({ type: 'resource', buffered: true })
  })
}

/** Fetches the scripts of the screen of a path, or of another if it has none, as the build lists them in the page. */
function fetchCode(path: string, other = path): void {
  const content = document.querySelector<HTMLMetaElement>('meta[name=screen-scripts]')?.content ?? '{}'
  const scripts = JSON.parse(content) as Partial<Record<string, string[]>>
  for (const href of scripts[path] ?? scripts[other] ?? [])
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
}

const path = location.pathname
if (isFramed(path)) startEarly(collectReplies()).catch(() => undefined)
else {
  fetchCode(path)
  if (path === signInPath && mayBeSignedIn()) collectReplies()(userUrl).catch(() => undefined)
}
