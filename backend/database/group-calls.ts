import type { CommonQueryMethods } from 'slonik'

type Waiting<Input, Output> = {
  input: Input
  resolve: (output: Output | Promise<Output>) => void
  reject: (error: unknown) => void
}

/**
 * Returns a function that makes the calls of one turn of the event loop together: of requests that arrive at the same time, all
 * but one statement are saved, and a single one is not delayed. `callAll` returns an output for each input, in order, or a promise of
 * it, which may fail alone; when `callAll` itself fails, all calls of the group do. At most `maxSize` calls form a group.
 */
export function groupCalls<Input, Output>(
  callAll: (inputs: readonly Input[]) => Promise<readonly (Output | Promise<Output>)[]>,
  maxSize = 100,
): (input: Input) => Promise<Output> {
  const waiting: Waiting<Input, Output>[] = []

  async function send(): Promise<void> {
    const group = waiting.splice(0, maxSize)
    if (waiting.length > 0) setImmediate(send)
    try {
      const outputs = await callAll(group.map(({ input }) => input))
      for (const [index, { resolve }] of group.entries()) resolve(outputs[index] as Output | Promise<Output>)
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

/**
 * Returns a query whose calls on one database are made together (see `groupCalls`). What `queryAll` returns for an input must not
 * depend on the others: they may be of other practices.
 */
export function groupQueries<Input, Output>(
  queryAll: (db: CommonQueryMethods, inputs: readonly Input[]) => Promise<readonly (Output | Promise<Output>)[]>,
): (db: CommonQueryMethods, input: Input) => Promise<Output> {
  const queries = new WeakMap<CommonQueryMethods, (input: Input) => Promise<Output>>()
  return (db, input) => {
    const query = queries.get(db) ?? groupCalls<Input, Output>((inputs) => queryAll(db, inputs))
    queries.set(db, query)
    return query(input)
  }
}

type Sharing<Input> = {
  /** Inputs of one name are one query; by default those that are equal. */
  toName?: (input: Input) => string
  /** Returns the input of the one query; by default the first. */
  merge?: (inputs: readonly Input[], first: Input) => Input
}

/**
 * Returns a query whose calls on one database for the same are one query, when they are made in one turn of the event loop: after a
 * change, all open screens of a practice ask for the same at the same moment. They share what it returns, and may not modify it.
 */
export const shareQueries = <Input, Output>(
  query: (db: CommonQueryMethods, input: Input) => Promise<Output>,
  { toName = (input) => JSON.stringify(input), merge = (_, first) => first }: Sharing<Input> = {},
): ((db: CommonQueryMethods, input: Input) => Promise<Output>) =>
  groupQueries(async (db, inputs: readonly Input[]): Promise<readonly (Output | Promise<Output>)[]> => {
    const shared = new Map<string, Promise<Output>>()
    const names = inputs.map(toName)
    return inputs.map((input, index) => {
      const name = names[index] ?? ''
      const ofName = () => inputs.filter((_, other) => names[other] === name)
      const output = shared.get(name) ?? query(db, merge(ofName(), input))
      shared.set(name, output)
      return output
    })
  })
