import { describe } from 'vitest'
import { openEventStoreDb } from '#eventstore/kurrentdb/store.ts'
import { contract } from '#tests/eventstore/contract.ts'

const url = process.env['EVENTSTORE_URL']?.trim() ?? ''
const hasServer = url !== '' && url !== 'postgres'

describe.skipIf(!hasServer)(`needs a real server, named by EVENTSTORE_URL`, () => {
  contract('the server at EVENTSTORE_URL', async () => {
    // A slow server must not fail these tests.
    const store = openEventStoreDb(url, { callTimeoutMs: 15_000 })
    return { store, close: store.close }
  })
})
