import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '#main/config.ts'
import { withOpenStores } from '#cli/run-tool.ts'
import { modules } from '#main/modules.ts'
import { openPool } from '#database/pool.ts'
import { type EngineContext, rebuild } from '#projections/rebuild/rebuild.ts'
import { readDatabaseUrl } from '#tests/support/everchart-process.ts'
import { type SimulatedUser, signIn, startImport, undoImport } from './clerks.ts'
import type { RequestLog } from './ledger.ts'
import type { Kill } from './plan.ts'
import type { Random } from './random.ts'

/** Every read model there is. */
export const projections = modules.flatMap((module) => module.projections ?? [])

/** Lends the record and the read models of a data folder whose database runs, as a tool beside the application has them. */
export async function withEngineAt<Result>(
  dataDir: string,
  run: (engine: EngineContext) => Promise<Result>,
): Promise<Result> {
  const pool = openPool(await readDatabaseUrl(dataDir), 5)
  try {
    return await withOpenStores({ config: readConfig({ DATA_DIR: dataDir }), pool }, run)
  } finally {
    await pool.end()
  }
}

type Scene = { dataDir: string; clerks: readonly SimulatedUser[]; ledger: RequestLog; chance: Random }

/** What has to be under way before the others begin to work. */
export async function prepareSituation({ clerks, ledger, chance }: Scene, when: Kill['situation']): Promise<void> {
  if (when !== 'importing' && when !== 'undoing an import') return
  const clerk = chance.pick(clerks)
  if (clerk.signedIn !== true) await signIn(clerk, ledger)
  const importId = await startImport(clerk, ledger, chance, 300)
  if (importId === null || when === 'importing') return
  const isDone = async () => (await clerk.client.get(`/api/patients/import/${importId}`)).body.state === 'done'
  for (const end = Date.now() + 100_000; !(await isDone()) && Date.now() < end;) await sleep(20)
  await undoImport(clerk, ledger, importId)
}

/** Resolves when the moment has come. What it has begun by itself ends with the database, in its own time. */
export async function waitForKillMoment(scene: Scene, { situation: when, fraction: moment }: Kill): Promise<void> {
  if (when === 'rebuilding') await waitForRebuildMoment(scene, moment)
  else await sleep(when === 'at work' ? 100 + 500 * moment : 400 * moment)
}

/** While it folds, when the new table is ready, or in the very moment in which it takes the place of the old one. */
async function waitForRebuildMoment({ dataDir, chance }: Scene, moment: number): Promise<void> {
  await sleep(200)
  const reached = Promise.withResolvers<void>()
  const projection = chance.pick(projections)
  const folding = moment < 0.4
  const run = withEngineAt(dataDir, (engine) =>
    rebuild(engine, projection, {
      onProgress: () => void (folding && reached.resolve()),
      confirm: async () => {
        reached.resolve()
        if (moment < 0.7) await sleep(200)
        return true
      },
    }),
  )
  // It ends with the database; a rebuild that was quicker than we are does no harm.
  run.then(
    () => reached.resolve(),
    () => reached.resolve(),
  )
  await reached.promise
  if (moment >= 0.7) await sleep(10 * (moment - 0.7))
}
