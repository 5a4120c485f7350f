import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** What a screen may have to fetch again. Never data: who may see it asks for it. */
export const ChangeHint = z.object({
  kind: z.enum(['appointments', 'patients', 'imports', 'providers', 'waitlist', 'practice', 'subscription']),
  /** For `appointments`: the days concerned on the practice's calendar, YYYY-MM-DD. */
  dates: z.array(z.string()).optional(),
})
export type ChangeHint = z.infer<typeof ChangeHint>

/**
 * Server-sent events, one connection a browser (share it among tabs). Each message is a ChangeHint as JSON, named `change`; the
 * first is named `open`, so that what was missed before can be fetched. A comment every 20 seconds keeps proxies from
 * closing it. It ends when the session does. 429 `too-many-streams` beyond eight a person: poll instead.
 */
export const changes = endpoint({
  method: 'GET',
  path: '/api/changes',
  access: 'member',
  reply: ChangeHint,
  stream: true,
})
