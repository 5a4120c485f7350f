/**
 * The seed of every random choice in the tests: fixed in the gate, so that a run says something about the change and not about
 * chance; `npm run test:long` chooses a new one and prints it. `TEST_SEED=<number>` repeats a run.
 */
export const testSeed = Number(process.env['TEST_SEED'] ?? 20_261_125)
