import { it } from 'vitest'
import { eventStoreDb } from '#eventstore/eventstoredb.ts'
import { contract } from './contract.ts'

const url = process.env['EVENTSTORE_URL']

if (url === undefined || url === '' || url === 'postgres')
  it.skip('the event store contract: a real server, named by EVENTSTORE_URL', () => undefined)
else
  contract('the server at EVENTSTORE_URL', async () => {
    const store = eventStoreDb(url)
    return { store, close: store.close }
  })
