import type { ClientBase } from 'pg'
import { deriveId } from '#eventstore/derive-id.ts'
import type { AnyProjection } from '#projections/projection.ts'
import type { CheckpointOwner, Subscriber } from '#projections/runner/subscriber.ts'
import { type AnyProcessManager, getJobRequests, type JobRequest } from './process-manager.ts'

/** Enqueues jobs within the caller's transaction; one whose id was enqueued before is left as it is. */
export type Enqueue = (client: ClientBase, jobs: readonly (JobRequest & { id: string })[]) => Promise<void>

/** A process manager as the owner of a checkpoint: it has no table and is never rebuilt. */
export type ProcessManagerEntry = CheckpointOwner & { readonly kind: 'process-manager'; readonly version: 1 }

export const isProcessManager = <Entry extends ProcessManagerEntry>(owner: Entry | AnyProjection): owner is Entry =>
  'kind' in owner && owner.kind === 'process-manager'

/** Returns the owner of a process manager's checkpoint. */
export const toProcessManagerEntry = ({ name }: AnyProcessManager): ProcessManagerEntry => ({
  kind: 'process-manager',
  name,
  version: 1,
})

/** Derives a job id from its event: processed twice, as after the database lost a commit, it is still one job. */
export const deriveJobId = (event: { id: string }, processManager: string, index: number): string =>
  deriveId(`${event.id}:${processManager}:${index}`)

/** Subscribes a process manager: its jobs are enqueued in the transaction that moves its checkpoint. */
export const createProcessManagerSubscriber = (manager: AnyProcessManager, enqueue: Enqueue): Subscriber => ({
  ...toProcessManagerEntry(manager),
  eventTypes: new Set(Object.keys(manager.on)),
  isMetadataOnly: false,
  async processEvents(client, events) {
    const jobs = events.flatMap((event) =>
      getJobRequests(manager, event).map((request, index) => ({
        ...request,
        id: deriveJobId(event, manager.name, index),
      })),
    )
    if (jobs.length > 0) await enqueue(client, jobs)
  },
})
