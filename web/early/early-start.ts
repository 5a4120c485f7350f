import type { EarlyReplies } from '#web/api/early-replies.ts'
import { type EarlyUser, isFramed, listEarlyRequests } from './early-requests.ts'

/** Milliseconds after which the application asks again. */
const maxReplyMs = 10_000

/** The screen to which visitors are led who are not signed in. */
const signInPath = '/auth'

/**
 * Runs before the application has arrived, and imports nothing of it: asks who the user is and for what their screen shows, and fetches
 * the code behind the sign-in when the code before it is there. On a phone, this takes a second off each load.
 */
async function startEarly(): Promise<void> {
  const replies: EarlyReplies['byUrl'] = new Map()
  window.earlyReplies = { startedAt: Date.now(), byUrl: replies }
  const request = (url: string) => {
    const reply = fetch(url, { credentials: 'include', signal: AbortSignal.timeout(maxReplyMs) })
    reply.catch(() => replies.delete(url))
    replies.set(url, reply)
    return reply
  }
  const reply = await request('/api/user')
  // The application reads it, too.
  const copy = reply.clone()
  if (!copy.ok) return fetchCode(signInPath)
  const user = (await copy.json()) as EarlyUser
  // After the user, whose reply says from where on changes are announced.
  for (const url of listEarlyRequests(location, user)) request(url)
  await whenFetched()
  fetchCode(location.pathname, '*')
  // Before anything is painted in it: figures in another font have other widths.
  await document.fonts.load('1em "Hanken Grotesk Variable"')
}

/** Resolves when the scripts of the page itself have arrived: others would only delay them. */
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

if (isFramed(location.pathname)) startEarly().catch(() => undefined)
else fetchCode(location.pathname)
