import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** The kind of data that changed. It carries no data: screens fetch it again with their own permissions. */
export const ChangeHint = z.object({
  kind: z.enum([
    'appointments',
    'patients',
    'imports',
    'providers',
    'waitlist',
    'practice',
    'subscription',
    'notifications',
    'team',
    'data-exports',
    'insights',
    'forms',
    'insurance',
    'confirmations',
    'automation',
    'records',
  ]),
  /** The dates concerned in the practice's time zone, YYYY-MM-DD; of `appointments` only. */
  dates: z.array(z.string()).optional(),
})
export type ChangeHint = z.infer<typeof ChangeHint>

/** The message with which a stream begins. `isResumed`: the hints of every change since the requested point were sent. */
export const ChangesOpened = z.object({ isResumed: z.boolean() })
export type ChangesOpened = z.infer<typeof ChangesOpened>

/** The header of a reply with the current user: live updates can resume from there for whatever is fetched after this reply. */
export const liveUpdatesFrom = 'Live-Updates-From'

/**
 * Server-sent events; open one connection per browser and share it among tabs. Each message is a ChangeHint as JSON, named
 * `change`; one named `open` says whether the stream resumes, so that the client can fetch everything again if not. The id of a
 * message is the point from which a later stream can resume (`since`); it is opaque, and not resumed
 * when too much has happened since. A message named `heartbeat` every 20 seconds keeps proxies from closing the connection. It ends with the
 * session. 429 `too-many-streams` beyond eight per user: poll instead.
 */
export const changes = endpoint({
  method: 'GET',
  path: '/api/changes',
  access: 'member',
  query: z.object({ since: z.string().optional() }),
  reply: ChangeHint,
  stream: true,
})
