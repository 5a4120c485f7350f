import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const run = runInNewContext('gc') as () => void

/** Frees all memory that nothing refers to, so that a test can measure what is kept. */
export const collectGarbage = (): void => run()
