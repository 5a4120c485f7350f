import { it } from 'vitest'
import { openEventStoreDb } from '#eventstore/kurrentdb/store.ts'
import { contract } from './contract.ts'

const url = process.env['EVENTSTORE_URL']?.trim()

// The one test that needs what not everybody has: where there is no server, one line of the report says so.
// oxlint-disable vitest/no-conditional-tests, vitest/no-disabled-tests
if (!url || url === 'postgres')
  it.skip('the event store contract: a real server, named by EVENTSTORE_URL', () => undefined)
else
  contract('the server at EVENTSTORE_URL', async () => {
    // It may be slow, and what is proved here is not its speed.
    const store = openEventStoreDb(url, { callTimeoutMs: 15_000 })
    return { store, close: store.close }
  })
