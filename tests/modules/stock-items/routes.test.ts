import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StockItem } from '#contracts/stock-items.ts'
import type { SupplyOrder } from '#contracts/supply-orders.ts'
import { receiveSupplyOrder } from '#modules/stock-items/jobs.ts'
import { newSubscriber } from '#tests/support/billing.ts'
import type { Client } from '#tests/support/client.ts'
import { waitForJobs } from '#tests/support/job-delays.ts'
import { readStream } from '#tests/support/events.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

const usual = {
  supplierName: 'Fairview Supplies',
  quantityOnHand: 40,
  reorderThreshold: 10,
  reorderQuantity: 50,
  unitPriceCents: 1_25,
  autoReorderEnabled: true,
}

async function newStock() {
  const { client } = await newSubscriber(app, 'starter')
  const add = async (name: string, over: object = {}) => {
    const added = await client.post('/api/stock-items', { name, ...usual, ...over })
    expect(added.status).toBe(201)
    return added.body as StockItem
  }
  const count = async ({ id }: StockItem, quantityOnHand: number) =>
    expect((await client.patch(`/api/stock-items/${id}`, { quantityOnHand })).status).toBe(200)
  const read = async ({ id }: StockItem) => (await client.get(`/api/stock-items/${id}`)).body as StockItem
  return { client, add, count, read }
}

const listOrders = async (client: Client) => (await client.get('/api/supply-orders')).body as SupplyOrder[]
const waitForOrders = (client: Client, isExpected: (orders: SupplyOrder[]) => boolean) =>
  waitForJobs(app.services.pool, () => listOrders(client), isExpected)
const namesOf = ({ orderItems }: SupplyOrder) => orderItems.map(({ name }) => name)

describe('an item of which little is left', () => {
  it('is proposed to be ordered once, together with others of its supplier, and in the hub', async () => {
    const { client, add, count, read } = await newStock()
    const gloves = await add('Gloves, size M')
    const masks = await add('Masks', { quantityOnHand: 10 })
    const [first] = await waitForOrders(client, (orders) => orders.length === 1)
    expect(first).toMatchObject({ supplierName: 'Fairview Supplies', orderStatus: 'pending', isAutomatic: true })
    expect(first?.orderItems).toEqual([{ name: 'Masks', quantity: 50, unitPriceCents: 1_25, receivedQuantity: 0 }])
    expect(await read(masks)).toMatchObject({ isLow: true })
    // Above the threshold, and then below it, twice.
    await count(gloves, 11)
    await count(gloves, 10)
    await count(gloves, 9)
    const [both, ...others] = await waitForOrders(client, ([order]) => order !== undefined && namesOf(order).length > 1)
    expect([both && namesOf(both), others]).toEqual([['Masks', 'Gloves, size M'], []])
    expect((await client.get('/api/automation/stats')).body.supplyOrders).toMatchObject({ total: 1, autoOrdered: 1 })
    // A further supplier has an order of its own.
    await add('Paper rolls', { supplierName: 'Harbor Medical', quantityOnHand: 0 })
    expect(await waitForOrders(client, (orders) => orders.length === 2)).toMatchObject([
      { supplierName: 'Harbor Medical', orderItems: [{ name: 'Paper rolls' }] },
      { supplierName: 'Fairview Supplies' },
    ])
  })

  it('is not proposed when that is off, when it is retired, or while it is on an order', async () => {
    const { client, add, count } = await newStock()
    await client.post('/api/supply-orders', {
      supplierName: 'Another',
      orderItems: [{ name: ' gloves, SIZE m', quantity: 5, unitPriceCents: 9_00 }],
    })
    const gloves = await add('Gloves, size M')
    await count(gloves, 3)
    await add('Masks', { autoReorderEnabled: false, quantityOnHand: 0 })
    const cups = await add('Cups')
    expect((await client.patch(`/api/stock-items/${cups.id}`, { itemStatus: 'retired' })).status).toBe(200)
    await count(cups, 0)
    // Jobs run one after the other: with this one done, the earlier ones are.
    await add('Paper rolls', { quantityOnHand: 0 })
    const orders = await waitForOrders(client, (found) => found.length === 2)
    expect(orders.flatMap(namesOf).toSorted()).toEqual(['Paper rolls', 'gloves, SIZE m'])
  })
})

describe('a delivered order', () => {
  it('is added to the stock once, as it was counted', async () => {
    const { client, add, read } = await newStock()
    const gloves = await add('Gloves, size M')
    const masks = await add('Masks')
    const order = await client.post('/api/supply-orders', {
      supplierName: 'Fairview Supplies',
      orderItems: [
        { name: 'gloves, size M ', quantity: 10, unitPriceCents: 8_99 },
        { name: 'Masks', quantity: 20, unitPriceCents: 1_00, receivedQuantity: 15 },
        { name: 'Not in stock', quantity: 1, unitPriceCents: 1_00, receivedQuantity: 1 },
      ],
    })
    const path = `/api/supply-orders/${order.body.id}`
    for (const orderStatus of ['ordered', 'delivered'])
      expect((await client.patch(path, { orderStatus })).status).toBe(200)
    const found = await waitForJobs(
      app.services.pool,
      () => read(masks),
      ({ quantityOnHand }) => quantityOnHand === 55,
    )
    expect(found).toMatchObject({ isLow: false, revision: 1 })
    expect(await read(gloves)).toMatchObject({ quantityOnHand: 40, revision: 0 })
    // The same job again, as after a crash.
    const { rows } = await app.services.pool.query<{ id: string; data: object }>(
      `select id, data from jobs.job where name = 'receive-supply-order' and data->>'supplyOrderId' = $1`,
      [order.body.id],
    )
    const [job] = rows
    const again = receiveSupplyOrder.data.parse(job?.data)
    const context = { id: String(job?.id), signal: new AbortController().signal, attempt: 2 }
    await receiveSupplyOrder.run(app.services, again, context)
    expect(await read(masks)).toMatchObject({ quantityOnHand: 55, revision: 1 })
    const events = await readStream(app.services.store, `stock-item-${masks.id}`)
    expect(events.at(-1)?.metadata.actor).toEqual({ kind: 'process', name: 'receive-supply-order' })
  })
})
