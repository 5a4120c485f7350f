import { eventStoreDb } from '#eventstore/eventstoredb.ts'
import { startWireServer } from '#tests/support/wire/server.ts'
import { contract } from './contract.ts'

contract('EventStoreDB, over the wire', async () => {
  const server = await startWireServer()
  const store = eventStoreDb(server.url, { patience: 10_000 })
  return {
    store,
    async close() {
      await store.close()
      await server.stop()
    },
  }
})
