import type { Pool } from 'pg'
import type { EventStore } from '#eventstore/event-store.ts'
import type { Mail } from '#mail/deliveries.ts'
import type { ServiceStates } from '#runtime/health.ts'
import { withTimeout } from '#runtime/with-timeout.ts'

type Parts = {
  pool: Pool
  store: Pick<EventStore, 'head'>
  mail: Mail
  areJobsAlive: () => Promise<boolean>
  /** Returns false when a newer version has written to the event store. */
  isUpToDate: () => boolean
}

/** Returns whether the services respond on which an application depends. */
export async function checkServices({ pool, store, mail, areJobsAlive, isUpToDate }: Parts): Promise<ServiceStates> {
  const [database, eventStore, jobs] = await Promise.all([
    responds(pool.query('select 1')),
    responds(store.head()),
    responds(areJobsAlive()),
  ])
  return { database, eventStore: eventStore && isUpToDate(), jobs, mail: mail.getStatus() }
}

/** Returns whether a check succeeds within two seconds. */
export const responds = (check: Promise<unknown>): Promise<boolean> =>
  withTimeout(
    check.then(
      () => true,
      () => false,
    ),
    2_000,
    () => false,
  )
