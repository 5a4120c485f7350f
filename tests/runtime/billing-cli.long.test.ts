import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { subscribe } from '#tests/support/billing.ts'
import { createClient } from '#tests/support/client.ts'
import {
  findDatabaseProcesses,
  startEverchart,
  createTemporaryDataDir,
  expectStopped,
} from '#tests/support/everchart-process.ts'
import { newOwner } from '#tests/support/practice.ts'
import { runTool } from '#tests/support/run-tool.ts'

let data: Awaited<ReturnType<typeof createTemporaryDataDir>>
beforeAll(async () => (data = await createTemporaryDataDir()))
afterAll(() => data.remove())

const billing = (...args: string[]) => runTool('billing', args, { DATA_DIR: data.folder })
const fileOf = async (name: string, text: string) => {
  const file = path.join(data.folder, name)
  await writeFile(file, text)
  return file
}

test('prints every state, with and without a running application, and changes nothing', async () => {
  const app = startEverchart(data.folder)
  await app.ready
  const { client, practice } = await newOwner({ newClient: () => createClient(app.url()) })
  expect(await billing('replay', practice.id)).toEqual({
    code: 0,
    out: 'This practice has never chosen a plan\n',
    err: '',
  })
  await subscribe(client, 'starter')
  const before = await billing('replay', practice.id)
  expect(before).toMatchObject({ code: 0, err: '' })
  expect(before.out).toMatch(/CheckoutStarted +none +- +- +demo/)
  expect(before.out).toMatch(/TrialStarted +trialing +starter +\S+Z +starter on trial +-/)

  app.kill('SIGTERM')
  await expectStopped(app)
  expect(await billing('replay', practice.id)).toEqual(before)

  const states = JSON.parse((await billing('replay', practice.id, '--json')).out) as {
    event: string
    subscription: { subscriptionId: string; currentPeriodEnd: string }
  }[]
  const trial = states.find(({ event }) => event === 'TrialStarted')
  expect(trial).toMatchObject({ isAssumed: false, access: { kind: 'trial', plan: 'starter', until: null } })
  const { subscriptionId, currentPeriodEnd } = trial?.subscription ?? { subscriptionId: '', currentPeriodEnd: '' }
  const at = currentPeriodEnd
  const ended = {
    type: 'customer.subscription.deleted',
    created: Math.floor(Date.parse(at) / 1_000),
    data: {
      object: {
        practiceId: practice.id,
        observed: { version: 99, at },
        subscription: {
          subscriptionId,
          checkoutId: null,
          status: 'canceled',
          plan: 'starter',
          nextPlan: null,
          cancelAtPeriodEnd: false,
          createdAt: at,
          currentPeriodStart: at,
          currentPeriodEnd: at,
          trialEnd: at,
        },
      },
    },
  }
  const assume = (name: string, text: string) =>
    fileOf(name, text).then((file) => billing('replay', practice.id, '--assume', file))
  for (const text of [JSON.stringify([ended]), `${JSON.stringify(ended)}\n`, JSON.stringify({ data: [ended] })]) {
    const { code, out } = await assume('messages.json', text)
    expect(code).toBe(0)
    expect(out.trimEnd().split('\n').at(-1)).toMatch(
      /^if +\S+Z +customer.subscription.deleted: SubscriptionCanceled +canceled +starter +\S+Z +starter on trial +\S+Z$/,
    )
  }
  expect(await billing('replay', practice.id), 'nothing was stored').toEqual(before)

  const foreign = { ...ended, data: { object: { ...ended.data.object, practiceId: randomUUID() } } }
  expect(await assume('foreign.json', JSON.stringify([ended, foreign]))).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(
      /^Message 2 of \S+ is about another practice: npm run billing -- --help prints the usage\n$/,
    ),
  })
  expect(await billing('replay', randomUUID())).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/^There is no practice \S+\n$/),
  })
  expect(await findDatabaseProcesses(data.folder)).toEqual([])
})

test('refuses invalid arguments in one line and starts nothing', async () => {
  const { code, out, err } = await billing('replay', 'everything')
  expect([code, out]).toEqual([2, ''])
  expect(err).toMatch(/^everything is not the id of a practice: [^\n]+\n$/)
  expect(await findDatabaseProcesses(data.folder)).toEqual([])
})
