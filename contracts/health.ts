import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const Service = z.enum(['ok', 'down', 'starting'])

export const ProjectionHealth = z.object({
  name: z.string(),
  kind: z.enum(['projection', 'process-manager']),
  version: z.number(),
  /** Opaque; equal to `head` when it has processed every event. */
  position: z.string().nullable(),
  head: z.string().nullable(),
  /** Events between the two, counted up to a thousand. */
  lag: z.number(),
  /** `superseded`: an instance of another version has taken over. `stopped`: this instance is stopping. */
  state: z.enum(['running', 'rebuilding', 'failed', 'superseded', 'stopped']),
})

export const Health = z.object({
  status: z.enum(['ok', 'degraded', 'down', 'starting']),
  version: z.string(),
  services: z.object({ database: Service, eventStore: Service, jobs: Service }),
  projections: z.array(ProjectionHealth),
  /** The number of dead letters, which wait for an operator; `degraded` when there are any. */
  deadLetters: z.number(),
})
export type Health = z.infer<typeof Health>

/** 200, or 503 when down or still starting. */
export const health = endpoint({ method: 'GET', path: '/api/health', access: 'public', reply: Health })
