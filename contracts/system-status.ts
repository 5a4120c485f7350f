import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { IntegrationStatus } from './integrations.ts'

/** The services of the dashboard (spec page 1, section 2), and the queue of reminders, emails and other background work. */
export const SystemService = z.enum(['database', 'ai', 'payments', 'email', 'jobs'])
export type SystemService = z.infer<typeof SystemService>

/** The share of a time in which the application worked, in whole minutes. */
export const Uptime = z.object({
  /** The beginning of that time: 30 days ago, or the first measurement of this installation. */
  since: z.iso.datetime(),
  /** True if it is 30 days. */
  isWholePeriod: z.boolean(),
  /** Rounded down to two decimals. */
  percent: z.number().min(0).max(100),
  downMinutes: z.int().nonnegative(),
  /** The latest 20 outages, newest first. While the application was stopped, it was down. */
  outages: z.array(z.object({ from: z.iso.datetime(), minutes: z.int().positive() })),
})
export type Uptime = z.infer<typeof Uptime>

export const SystemStatus = z.object({
  services: z.array(z.object({ name: SystemService, status: IntegrationStatus })),
  /** Null during the first minute of an installation. */
  uptime: Uptime.nullable(),
})
export type SystemStatus = z.infer<typeof SystemStatus>

/** Returns the state of the services at the moment of the request, and the uptime of the last 30 days. */
export const getSystemStatus = endpoint({
  method: 'GET',
  path: '/api/system-status',
  access: 'member',
  reply: SystemStatus,
})
