import { setTimeout as sleep } from 'node:timers/promises'
import type { Health } from '#contracts/health.ts'
import type { Pool } from 'pg'
import { verify } from '#projections/verify.ts'
import type { Clerk } from './clerks.ts'
import type { Ledger } from './ledger.ts'
import { readStory, type Story } from './record.ts'
import { checkScreens } from './screens.ts'
import { projections, withEngineOf } from './situations.ts'

type Asked = {
  dataDir: string
  url: string
  clerks: readonly Clerk[]
  ledger: Ledger
  /** What the record was at the last look. */
  before: Pick<Story, 'facts' | 'fingerprint'>
  /** Whether whatever is under way has to come to its end. */
  isLast: boolean
}

const soon = 2_000
const atLast = 90_000

/** Looks at everything after a kill: the record, the read models, and what people see. */
export async function check({ dataDir, url, clerks, ledger, before, isLast }: Asked): Promise<Story> {
  const settled = await importsSettled(clerks, isLast ? atLast : soon)
  const problems = isLast && !settled ? ['an import does not go on'] : []
  const caughtUp = await readModelsFollow(url)
  if (caughtUp !== undefined) problems.push(caughtUp)
  return await withEngineOf(dataDir, async (engine) => {
    const story = await readStory(engine.pool as Pool, ledger, before)
    for (const projection of projections) {
      const onDifference = (difference: unknown) => problems.push(`${projection.name}: ${JSON.stringify(difference)}`)
      await verify(engine, projection, { onDifference })
    }
    const screens = await checkScreens(clerks, story, settled)
    return { ...story, problems: [...problems, ...story.problems, ...screens] }
  })
}

/** Whether no import is under way any more, after so many milliseconds at most. */
async function importsSettled(clerks: readonly Clerk[], patience: number): Promise<boolean> {
  const signedIn = clerks.filter((clerk) => clerk.signedIn === true)
  const practices = [...new Set(clerks.map(({ practice }) => practice))]
  const asking = practices.map((practice) => signedIn.find((clerk) => clerk.practice === practice))
  const isSettled = async (clerk: Clerk | undefined) => {
    if (!clerk) return false
    const { status, body } = await clerk.client.get('/api/patients/import')
    return status === 200 && body.every(({ state }: { state: string }) => state === 'done' || state === 'undone')
  }
  for (const end = Date.now() + patience; ; await sleep(50)) {
    const each = await Promise.all(asking.map(isSettled))
    if (each.every(Boolean)) return true
    if (Date.now() > end) return false
  }
}

/** What keeps a read model from having taken in everything; undefined when none is behind. */
async function readModelsFollow(url: string): Promise<string | undefined> {
  for (const end = Date.now() + 30_000; ; await sleep(20)) {
    const health = (await (await fetch(`${url}/api/health`)).json()) as Health
    const failed = health.projections.find(({ state }) => state === 'failed')
    if (failed) return `the read model ${failed.name} stands still`
    if (health.status === 'ok' && health.projections.every(({ lag }) => lag === 0)) return undefined
    if (Date.now() > end) return `read models are behind: ${JSON.stringify(health)}`
  }
}
