import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTemporaryDataDir, startEverchart, expectStopped } from '#tests/support/everchart-process.ts'
import { createTestDatabase } from '#tests/support/test-database.ts'

let data: Awaited<ReturnType<typeof createTemporaryDataDir>>
let database: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  data = await createTemporaryDataDir()
  database = await createTestDatabase()
})
afterAll(async () => {
  await data.remove()
  await database.drop()
})

/** Prints the address of every file of a stand-in that the process loads: the bundle names them after it. */
const printLoadedStandIns = `
import { registerHooks } from 'node:module'
registerHooks({
  load(url, context, nextLoad) {
    if (url.includes('/build/backend/stand-in-')) process.stderr.write('loaded ' + url + '\\n')
    return nextLoad(url, context)
  },
})`

const production = {
  NODE_ENV: 'production',
  SESSION_SECRET: 'a session secret of at least 32 characters',
  MASTER_KEY: Buffer.alloc(32, 'a master key').toString('base64'),
}

const stripe = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'a webhook secret of the test',
  STRIPE_PRICE_STARTER: 'price_s',
  STRIPE_PRICE_PROFESSIONAL: 'price_p',
  STRIPE_PRICE_ENTERPRISE: 'price_e',
}

/** Starts Everchart with settings, waits until it is ready, and returns which stand-ins it has loaded. */
async function findLoadedStandIns(settings: Record<string, string>): Promise<Set<string>> {
  const app = startEverchart(data.folder, {
    ...settings,
    DATABASE_URL: database.url,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(printLoadedStandIns)}`,
  })
  await app.ready
  app.kill('SIGTERM')
  await expectStopped(app)
  return new Set([...app.output().matchAll(/^loaded \S+\/stand-in-(\S+)-[\w-]{8}\.js$/gm)].map(([, name = '']) => name))
}

test('production does not load the billing sandbox unless it is enabled by name', async () => {
  expect(await findLoadedStandIns(production)).toEqual(new Set())
  expect(await findLoadedStandIns({ ...production, BILLING_SANDBOX: 'allow' })).toEqual(new Set(['billing-sandbox']))
})

test('an installation with Stripe does not load the billing sandbox', async () => {
  expect(await findLoadedStandIns({ ...production, NODE_ENV: 'development', ...stripe })).toEqual(new Set())
})
