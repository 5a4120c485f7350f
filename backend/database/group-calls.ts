type Waiting<Input, Output> = {
  input: Input
  resolve: (output: Output) => void
  reject: (error: unknown) => void
}

/**
 * Returns a function that makes the calls of one turn of the event loop together: of requests that arrive at the same time, all
 * but one statement are saved, and a single one is not delayed. `callAll` returns an output for each input, in order; when it
 * fails, all calls of the group do. At most `maxSize` calls form a group.
 */
export function groupCalls<Input, Output>(
  callAll: (inputs: readonly Input[]) => Promise<readonly Output[]>,
  maxSize = 100,
): (input: Input) => Promise<Output> {
  const waiting: Waiting<Input, Output>[] = []

  async function send(): Promise<void> {
    const group = waiting.splice(0, maxSize)
    if (waiting.length > 0) setImmediate(send)
    try {
      const outputs = await callAll(group.map(({ input }) => input))
      for (const [index, { resolve }] of group.entries()) resolve(outputs[index] as Output)
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      if (waiting.length === 1) setImmediate(send)
    })
}
