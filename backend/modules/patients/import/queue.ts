import type { PgBoss } from 'pg-boss'

/** The jobs of all imports: carrying one out and taking one back. A job holds the id of its import and nothing else. */
export const importQueue = 'patient-imports'

export type ImportJob = { importId: string }

/**
 * Has an import carried on as soon as a worker is free, or after so many seconds. Never too often: a job looks at what
 * the record says is left to do, and only one works at an import at a time.
 */
export async function enqueue(jobs: PgBoss, importId: string, startAfter = 0): Promise<void> {
  await jobs.send(importQueue, { importId } satisfies ImportJob, { startAfter })
}

/** Long enough for the fact to be recorded after its job was put down, should the process end in between. */
export const safetyNet = 10
