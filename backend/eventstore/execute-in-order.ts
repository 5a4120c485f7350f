import type { CommandBus, CommandContext, CommandOptions, CommandResult } from './command-bus.ts'
import type { Decider } from './decider.ts'
import type { DomainEvent } from './event.ts'

/** The last command of each queue, by bus and stream. An entry is deleted when its queue is empty. */
const queues = new WeakMap<CommandBus, Map<string, Promise<unknown>>>()

function getQueues(bus: CommandBus): Map<string, Promise<unknown>> {
  const known = queues.get(bus) ?? new Map<string, Promise<unknown>>()
  queues.set(bus, known)
  return known
}

/**
 * Executes a command after all earlier commands of this process for the same stream, in the order of the calls. Many
 * simultaneous commands for one stream would otherwise conflict in the store until some fail with `RetriesExhausted`.
 * Other instances are not excluded: between them the store's expected revision decides.
 */
export async function executeInOrder<Command, Event extends DomainEvent, State>(
  bus: CommandBus,
  decider: Decider<Command, Event, State>,
  id: string,
  command: Command,
  context: CommandContext,
  options: CommandOptions = {},
): Promise<CommandResult<State, Event>> {
  const byStream = getQueues(bus)
  const stream = `${decider.category}-${id}`
  const execute = () => bus.execute(decider, id, command, context, options)
  const result = (byStream.get(stream) ?? Promise.resolve()).then(execute, execute)
  byStream.set(stream, result)
  try {
    return await result
  } finally {
    if (byStream.get(stream) === result) byStream.delete(stream)
  }
}
