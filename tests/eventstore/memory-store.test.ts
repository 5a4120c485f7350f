import { createMemoryStore } from '#tests/support/memory-store.ts'
import { contract } from './contract.ts'

contract('memory, for tests', async () => ({ store: createMemoryStore(), close: async () => undefined }))
