type LoadMany<Value> = (subjects: readonly string[]) => Promise<ReadonlyMap<string, Value>>

/** Puts questions that arrive while one is being answered together into the next: one query for all who wait. */
export function batched<Value>(ask: LoadMany<Value>): LoadMany<Value> {
  type Waiting = { subjects: readonly string[]; answer: PromiseWithResolvers<ReadonlyMap<string, Value>> }
  let waiting: Waiting[] = []
  let busy = false

  async function work(): Promise<void> {
    busy = true
    while (waiting.length > 0) {
      const together = waiting
      waiting = []
      try {
        const found = await ask([...new Set(together.flatMap(({ subjects }) => subjects))])
        for (const { subjects, answer } of together)
          answer.resolve(
            new Map(
              subjects.flatMap((subject) => (found.has(subject) ? [[subject, found.get(subject) as Value]] : [])),
            ),
          )
      } catch (error) {
        for (const { answer } of together) answer.reject(error)
      }
    }
    busy = false
  }

  return (subjects) => {
    const answer = Promise.withResolvers<ReadonlyMap<string, Value>>()
    waiting.push({ subjects, answer })
    if (!busy) void work()
    return answer.promise
  }
}
