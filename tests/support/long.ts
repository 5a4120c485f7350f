/** Returns how many cases a loop runs: `usual` by default, `long` with LONG=1. */
export const cases = (usual: number, long: number) => (process.env['LONG'] === '1' ? long : usual)
