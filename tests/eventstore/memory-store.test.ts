import { memoryStore } from '#tests/support/memory-store.ts'
import { contract } from './contract.ts'

contract('memory, for tests', async () => ({ store: memoryStore(), close: async () => undefined }))
