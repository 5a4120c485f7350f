import { openEventStoreDb } from '#eventstore/kurrentdb/store.ts'
import { openPostgresStore } from '#eventstore/postgres/store.ts'
import { openPool } from '#database/pool.ts'
import { createTestDatabase } from '#tests/support/test-database.ts'
import { startFaultyProxy } from '#tests/support/wire/faulty-proxy.ts'
import { startWireServer } from '#tests/support/wire/server.ts'
import { networkContract } from './network-contract.ts'

networkContract('EventStoreDB, over the wire', async () => {
  const server = await startWireServer()
  const { pool, network: databaseNetwork, close } = await openUnreliableDatabase()
  const store = openEventStoreDb(server.url, { pool })
  return {
    store,
    network: {
      ...server.proxy,
      dropConnections() {
        server.proxy.dropConnections()
        databaseNetwork.dropConnections()
      },
    },
    async close() {
      await store.close()
      await close()
      await server.stop()
    },
  }
})

networkContract('PostgreSQL', async () => {
  const { pool, network, close } = await openUnreliableDatabase()
  const store = await openPostgresStore(pool)
  return {
    store,
    network,
    async close() {
      await store.close()
      await close()
    },
  }
})

async function openUnreliableDatabase() {
  const database = await createTestDatabase()
  const address = new URL(database.url)
  const port = Number(address.port)
  const network = await startFaultyProxy(() => port)
  address.hostname = '127.0.0.1'
  address.port = String(network.port)
  const pool = openPool(address.href, 10)
  return {
    pool,
    network,
    async close() {
      await pool.end()
      await network.close()
      await database.drop()
    },
  }
}
