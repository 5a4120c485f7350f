import type { Health } from '#contracts/health.ts'

/** What is looked at, once it is there. */
export type Vitals = {
  alive: () => Promise<{ database: boolean; eventStore: boolean; jobs: boolean }>
  readModels: () => Promise<Health['projections']>
  deadLetters: () => Promise<number>
}

/** Milliseconds for which one look is told to everybody. */
export const freshFor = 100
const patience = 2_000

/**
 * The health of the whole. Until `vitals` answers something, everything is still starting. Anyone may ask, so those who
 * ask at nearly the same moment share one look.
 */
export function healthOf(vitals: () => Vitals | undefined, version: string): () => Promise<Health> {
  let shared: Promise<Health> | undefined
  return async () => {
    const up = vitals()
    if (!up) {
      const services = { database: 'starting', eventStore: 'starting', jobs: 'starting' } as const
      return { status: 'starting', version, services, projections: [], deadLetters: 0 }
    }
    if (!shared) {
      shared = look(up, version)
      setTimeout(() => (shared = undefined), freshFor).unref()
    }
    return await shared
  }
}

const word = (ok: boolean) => (ok ? 'ok' : 'down')

async function look({ alive, readModels, deadLetters: count }: Vitals, version: string): Promise<Health> {
  const { database, eventStore, jobs } = await alive()
  const projections = database && eventStore ? await inTime(readModels(), []) : []
  const deadLetters = database ? await inTime(count(), 0) : 0
  const services = { database: word(database), eventStore: word(eventStore), jobs: word(jobs) } as const
  const hurt = !jobs || deadLetters > 0 || projections.some(({ state }) => state === 'failed')
  const status = !database || !eventStore ? 'down' : hurt ? 'degraded' : 'ok'
  return { status, version, services, projections, deadLetters }
}

async function inTime<T>(work: Promise<T>, otherwise: T): Promise<T> {
  const late = Promise.withResolvers<T>()
  const timer = setTimeout(() => late.resolve(otherwise), patience)
  try {
    return await Promise.race([work.catch(() => otherwise), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
