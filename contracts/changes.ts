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

/**
 * Server-sent events; open one connection per browser and share it among tabs. Each message is a ChangeHint as JSON, named
 * `change`; the first one is named `open`, so that the client can fetch what it missed. A comment every 20 seconds keeps
 * proxies from closing the connection. It ends with the session. 429 `too-many-streams` beyond eight per user: poll instead.
 */
export const changes = endpoint({
  method: 'GET',
  path: '/api/changes',
  access: 'member',
  reply: ChangeHint,
  stream: true,
})
