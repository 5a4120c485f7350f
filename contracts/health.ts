import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const Service = z.enum(['ok', 'down', 'starting'])

export const ProjectionHealth = z.object({
  name: z.string(),
  /** A read model, or what turns facts into jobs. */
  kind: z.enum(['projection', 'reactor']),
  version: z.number(),
  /** Opaque; equal to `head` when nothing is waiting. */
  position: z.string().nullable(),
  head: z.string().nullable(),
  /** Events between the two, as far as it is known. */
  lag: z.number(),
  state: z.enum(['running', 'rebuilding', 'failed', 'stopped']),
})

export const Health = z.object({
  status: z.enum(['ok', 'degraded', 'down', 'starting']),
  version: z.string(),
  services: z.object({ database: Service, eventStore: Service, jobs: Service }),
  projections: z.array(ProjectionHealth),
  /** Jobs that were given up and wait for somebody to decide; `degraded` when there are any. */
  deadLetters: z.number(),
})
export type Health = z.infer<typeof Health>

/** 200, or 503 when down or still starting. */
export const health = endpoint({ method: 'GET', path: '/api/health', access: 'public', reply: Health })
