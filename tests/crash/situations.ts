import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '#main/config.ts'
import { withOpenStores } from '#cli/run-tool.ts'
import { modules } from '#main/modules.ts'
import { toProcessManagerEntry } from '#process-managers/subscriber.ts'
import { openPool } from '#database/pool.ts'
import { type EngineContext, rebuild } from '#projections/rebuild/rebuild.ts'
import { toApplicationUrl } from '#runtime/embedded-postgres.ts'
import { readDatabaseUrl } from '#tests/support/everchart-process.ts'
import { type SimulatedUser, signIn, startImport, undoImport } from './simulated-users.ts'
import type { RequestLog } from './request-log.ts'
import type { Kill } from './plan.ts'
import type { Random } from './random.ts'

/** The projections of all modules. */
export const projections = modules.flatMap((module) => module.projections ?? [])
/** The projections and process managers of all modules. */
export const subscribers = [
  ...projections,
  ...modules.flatMap((module) => module.processManagers ?? []).map(toProcessManagerEntry),
]

/** A data folder with a running database; with the address of its event store when that is elsewhere. */
export type Place = { dataDir: string; eventStoreUrl: string | undefined }

/** Provides the event store and read models of a place, like a command-line tool. */
export async function withEngineAt<Result>(
  { dataDir, eventStoreUrl }: Place,
  run: (engine: EngineContext) => Promise<Result>,
): Promise<Result> {
  // Like the tools: what the owner creates, the application could not read.
  const pool = openPool(toApplicationUrl(await readDatabaseUrl(dataDir)), 5)
  try {
    const config = readConfig({ DATA_DIR: dataDir, ...(eventStoreUrl ? { EVENTSTORE_URL: eventStoreUrl } : {}) })
    return await withOpenStores({ config, pool }, run)
  } finally {
    await pool.end()
  }
}

type Scene = { place: Place; users: readonly SimulatedUser[]; requestLog: RequestLog; random: Random }

/** Starts what must be under way before the users start to work. */
export async function prepareSituation(
  { users, requestLog, random }: Scene,
  situation: Kill['situation'],
): Promise<void> {
  if (situation !== 'importing' && situation !== 'undoing an import') return
  const user = random.pick(users)
  if (user.signedIn !== true) await signIn(user, requestLog)
  const importId = await startImport(user, requestLog, random, 300)
  if (importId === null || situation === 'importing') return
  const isDone = async () => (await user.client.get(`/api/patients/import/${importId}`)).body.state === 'done'
  for (const end = Date.now() + 100_000; !(await isDone()) && Date.now() < end;) await sleep(20)
  await undoImport(user, requestLog, importId)
}

/** Resolves at the moment of the kill. A rebuild that it starts fails with the database, possibly later. */
export async function waitForKillMoment(scene: Scene, { situation, fraction }: Kill): Promise<void> {
  if (situation === 'rebuilding') await waitForRebuildMoment(scene, fraction)
  else await sleep(situation === 'at work' ? 100 + 500 * fraction : 400 * fraction)
}

/** Resolves while a rebuild folds, when its new table is ready, or during the swap. */
async function waitForRebuildMoment({ place, random }: Scene, fraction: number): Promise<void> {
  await sleep(200)
  const reached = Promise.withResolvers<void>()
  const projection = random.pick(projections)
  const isFolding = fraction < 0.4
  const run = withEngineAt(place, (engine) =>
    rebuild(engine, projection, {
      onProgress: () => void (isFolding && reached.resolve()),
      confirm: async () => {
        reached.resolve()
        if (fraction < 0.7) await sleep(200)
        return true
      },
    }),
  )
  // It fails with the database; a rebuild that finishes earlier does no harm.
  run.then(
    () => reached.resolve(),
    () => reached.resolve(),
  )
  await reached.promise
  if (fraction >= 0.7) await sleep(10 * (fraction - 0.7))
}
