import fc from 'fast-check'
import { testSeed } from './seed.ts'

// Each property begins with the same values, whatever ran before it in the same worker.
fc.configureGlobal({ seed: testSeed })
