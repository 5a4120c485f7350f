import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const Service = z.enum(['ok', 'down', 'starting'])

/** `outbox`: no mail server is configured, and messages are stored as files. `down`: the last message could not be sent. */
const MailService = z.enum([...Service.options, 'outbox'])

export const ProjectionHealth = z.object({
  name: z.string(),
  kind: z.enum(['projection', 'process-manager']),
  version: z.number(),
  /** `superseded`: an instance of another version has taken over. `stopped`: this instance is stopping. */
  state: z.enum(['running', 'rebuilding', 'failed', 'superseded', 'stopped']),
})

/**
 * The whole report, which only owners and administrators see. It contains nothing that changes with each event, such as
 * positions or free bytes: in an installation with several practices they would show one when another one writes. Operators
 * see these with `npm run projections`.
 */
export const HealthReport = z.object({
  status: z.enum(['ok', 'degraded', 'down', 'starting']),
  version: z.string(),
  services: z.object({ database: Service, eventStore: Service, jobs: Service, mail: MailService }),
  projections: z.array(ProjectionHealth),
  /** The number of dead letters, which wait for an operator; `degraded` when there are any. */
  deadLetters: z.number(),
  /**
   * Tables and indexes with damaged pages, as the nightly check found them; `index` is null for the table itself. Damage of anything that cannot be derived again makes the status
   * `down`, damage of a read model `degraded`.
   */
  damaged: z.array(z.object({ table: z.string(), index: z.string().nullable(), pages: z.array(z.number()) })),
  /** The number of rows, of the sample that this instance has validated since its start, that did not conform; `degraded` when there are any. */
  mismatches: z.number(),
  /** Free disk space: `degraded` when `low`; when `full`, writes are refused. */
  storage: z.object({ status: z.enum(['ok', 'low', 'full']) }),
})
export type HealthReport = z.infer<typeof HealthReport>

/** The report for the owner and administrators, and the status alone for other callers, such as load balancers. */
export const Health = HealthReport.partial().required({ status: true })
export type Health = z.infer<typeof Health>

/** 200, or 503 when down or still starting. */
export const health = endpoint({ method: 'GET', path: '/api/health', access: 'public', reply: Health })
