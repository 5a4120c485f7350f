/** Runs a task after all earlier tasks with the same key have ended, whether they succeeded or not. */
export type TakeTurn = <Result>(key: string, task: () => Promise<Result>) => Promise<Result>

/** Creates queues by key. A queue is deleted when it is empty. */
export function createTurns(): TakeTurn {
  const queues = new Map<string, Promise<unknown>>()
  return async (key, task) => {
    const result = (queues.get(key) ?? Promise.resolve()).then(task, task)
    queues.set(key, result)
    try {
      return await result
    } finally {
      if (queues.get(key) === result) queues.delete(key)
    }
  }
}
