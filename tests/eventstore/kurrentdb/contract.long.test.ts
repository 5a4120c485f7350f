import { openEventStoreDb } from '#eventstore/kurrentdb/store.ts'
import { startWireServer } from '#tests/support/wire/server.ts'
import { contract } from '#tests/eventstore/contract.ts'

contract('EventStoreDB, over the wire', async () => {
  const server = await startWireServer()
  const store = openEventStoreDb(server.url, { callTimeoutMs: 10_000 })
  return {
    store,
    async close() {
      await store.close()
      await server.stop()
    },
  }
})
