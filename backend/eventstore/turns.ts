/** The turn of a task: it finds and leaves something. */
export type Turn<Left> = {
  /** The value that the task before it left; undefined when that left nothing, or the queue was empty. */
  readonly found: Left | undefined
  /** Leaves something to the next task, if one is waiting by then. */
  leave(left: Left): void
}

/** Runs a task after all earlier tasks with the same key have ended, whether they succeeded or not. */
export type TakeTurn<Left> = <Result>(key: string, task: (turn: Turn<Left>) => Promise<Result>) => Promise<Result>

type Queue<Left> = { last: Promise<unknown>; left: Left | undefined }

/** Creates queues by key. A queue is deleted when it is empty, with what was left in it. */
export function createTurns<Left = never>(): TakeTurn<Left> {
  const queues = new Map<string, Queue<Left>>()
  return async (key, task) => {
    const queue = queues.get(key) ?? { last: Promise.resolve(), left: undefined }
    const run = () => {
      const found = queue.left
      queue.left = undefined
      return task({ found, leave: (left) => void (queue.left = left) })
    }
    const result = queue.last.then(run, run)
    queue.last = result
    queues.set(key, queue)
    try {
      return await result
    } finally {
      if (queue.last === result) queues.delete(key)
    }
  }
}
