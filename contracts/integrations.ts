import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** The services outside of Everchart, in the order of the settings (spec page 2, section 2.8). */
export const IntegrationName = z.enum(['ai', 'payments', 'email', 'sms', 'clearinghouse', 'database'])
export type IntegrationName = z.infer<typeof IntegrationName>

/**
 * `rate_limited`: the last message was postponed. `error`: the last call failed. `unknown`: configured and not used yet.
 * `stand_in`: works on this server without a vendor. `not_configured`: nothing is set up, and nothing uses it.
 */
export const IntegrationStatus = z.enum([
  'connected',
  'operational',
  'rate_limited',
  'error',
  'unknown',
  'stand_in',
  'not_configured',
])
export type IntegrationStatus = z.infer<typeof IntegrationStatus>

/** The state of a service as the last calls of the installation show it. */
export const Integration = z.object({
  name: IntegrationName,
  status: IntegrationStatus,
  /** The last success, rounded down to the hour: an exact time would show when another practice uses it. */
  lastSuccessAt: z.iso.datetime().nullable(),
  /** The last error, a code such as `smtp-421`. */
  lastError: z.object({ at: z.iso.datetime(), code: z.string() }).nullable(),
  /** True when `testIntegration` can try it. A clearinghouse answers questions about patients only, so that it cannot be tried. */
  canTest: z.boolean(),
})
export type Integration = z.infer<typeof Integration>

/** Returns the state of the services that this installation uses. */
export const listIntegrations = endpoint({
  method: 'GET',
  path: '/api/integrations',
  access: { permission: 'settings' },
  reply: z.object({ items: z.array(Integration) }),
})

/** The outcome of a test. `error` is null when the service works, otherwise a code. */
export const IntegrationTest = z.object({
  isWorking: z.boolean(),
  error: z.string().nullable(),
  durationMs: z.int().nonnegative(),
})
export type IntegrationTest = z.infer<typeof IntegrationTest>

/**
 * Connects to a service as Everchart does, for at most three seconds; sends nothing to patients and charges nothing. The outcome
 * is on the record. 409 `not-configured` for a service that is not set up; 429 `too-many-attempts` after ten tests an hour.
 */
export const testIntegration = endpoint({
  method: 'POST',
  path: '/api/integrations/test',
  access: { permission: 'settings' },
  body: z.strictObject({ name: IntegrationName }),
  reply: IntegrationTest,
})
