import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const Service = z.enum(['ok', 'down', 'starting'])

export const ProjectionHealth = z.object({
  name: z.string(),
  /** A read model, or a process manager, which turns events into jobs. */
  kind: z.enum(['projection', 'reactor']),
  version: z.number(),
  /** Opaque; equal to `head` when it is caught up. */
  position: z.string().nullable(),
  head: z.string().nullable(),
  /** The number of events between the two, if known. */
  lag: z.number(),
  state: z.enum(['running', 'rebuilding', 'failed', 'stopped']),
})

export const Health = z.object({
  status: z.enum(['ok', 'degraded', 'down', 'starting']),
  version: z.string(),
  services: z.object({ database: Service, eventStore: Service, jobs: Service }),
  projections: z.array(ProjectionHealth),
  /** The number of failed jobs that wait for a decision; any make the status `degraded`. */
  deadLetters: z.number(),
})
export type Health = z.infer<typeof Health>

/** 200, or 503 when down or still starting. */
export const health = endpoint({ method: 'GET', path: '/api/health', access: 'public', reply: Health })
