import { createMemoryStore } from '#tests/support/memory-store.ts'
import { contract } from './contract.ts'
import { jointAppends } from './joint-appends-contract.ts'

const open = async () => ({ store: createMemoryStore(), close: async () => undefined })

contract('memory, for tests', open)
jointAppends('memory, for tests', open)
