import type { NewsletterState } from '#modules/newsletter/decider.ts'
import { newsletterDecider } from '#modules/newsletter/decider.ts'
import { deriveSubscriberId } from '#modules/newsletter/request-newsletter.ts'
import { readMessages } from '#tests/support/outbox.ts'
import type { TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'

/** Returns the newsletter's state of an address. */
export async function loadState(app: TestApp, email: string): Promise<NewsletterState> {
  return (await app.services.bus.load(newsletterDecider, deriveSubscriberId(app.services, email))).state
}

/** Waits until an address has a status. */
export const waitForStatus = (app: TestApp, email: string, status: NewsletterState['status']) =>
  waitUntil(
    () => loadState(app, email),
    (state) => state.status === status,
  )

/** Returns the paths of the links in a message. */
export function parseLinks(text: string): { confirm: string; leave: string } {
  const find = (name: string) =>
    /\/newsletter\/\w+\/[\w.-]+/.exec(text.slice(text.indexOf(`/newsletter/${name}/`)))?.[0] ?? ''
  return { confirm: find('confirm'), leave: find('leave') }
}

/** Waits for the first message to an address and returns the paths of its links. */
export async function receiveLinks(app: TestApp, email: string) {
  const [text = ''] = await waitUntil(
    () => readMessages(app, email),
    (messages) => messages.length > 0,
  )
  return parseLinks(text)
}

/** Waits until every event has led to its jobs, and none of them is waiting or running, except those that start later. */
export async function waitForJobs(app: TestApp): Promise<void> {
  const areJobsDone = async () => {
    const { rows } = await app.services.pool.query<{ open: number }>(
      `select count(*)::int as open from jobs.job where name like '%newsletter%'
         and state in ('created', 'retry', 'active') and start_after < now() + interval '1 minute'`,
    )
    return rows[0]?.open === 0
  }
  const areEventsProcessed = async () =>
    (await app.projectionRunner.getStates()).every(({ name, lag }) => name !== 'follow-newsletter' || lag === 0)
  // Running jobs may write events, and these may request jobs.
  await waitUntil(async () => (await areJobsDone()) && (await areEventsProcessed()) && (await areJobsDone()))
}
