import type { CommandBus, CommandContext, CommandOptions, CommandResult } from './command-bus.ts'
import type { Decider } from './decider.ts'
import type { DomainEvent } from './event.ts'
import { createTurns, type TakeTurn } from './turns.ts'

/** The queues of each bus, by stream. */
const turns = new WeakMap<CommandBus, TakeTurn>()

function getTurns(bus: CommandBus): TakeTurn {
  const known = turns.get(bus) ?? createTurns()
  turns.set(bus, known)
  return known
}

/**
 * Executes a command after all earlier commands of this process for the same stream, in the order of the calls: the first one
 * to ask is the first one decided. Other instances are not excluded: between them the store's expected revision decides.
 */
export const executeInOrder = <Command, Event extends DomainEvent, State>(
  bus: CommandBus,
  decider: Decider<Command, Event, State>,
  id: string,
  command: Command,
  context: CommandContext,
  options: CommandOptions = {},
): Promise<CommandResult<State, Event>> =>
  getTurns(bus)(`${decider.category}-${id}`, () => bus.execute(decider, id, command, context, options))
