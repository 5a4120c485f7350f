import type { RecordHistoryEntry } from '#contracts/values/records.ts'
import type { CommandContext, LoadedStream } from '#eventstore/command.ts'
import { isConflict } from '#eventstore/command-errors.ts'
import type { Decider } from '#eventstore/decider.ts'
import type { Recorded } from '#eventstore/event.ts'
import { notFound } from '#http/problems.ts'
import type { Member } from '#http/session.ts'
import { findUserNames } from '#modules/accounts/public.ts'
import { throwFieldConflict } from '#modules/kit/field-conflict.ts'
import type { Services } from '#modules/module.ts'
import { recordScope } from '#modules/samples/public.ts'
import type { ExistingRecord, RecordCommand, RecordState } from './decider.ts'
import type { RecordDefinition, RecordEvent, RecordEvents } from './events.ts'
import type { RecordReader } from './queries.ts'

/** All that requests need to know of a record. */
export type RecordKind<D extends RecordDefinition> = {
  /** The record in messages, such as "referral". */
  noun: string
  events: RecordEvents<D>
  decider: Decider<RecordCommand<D>, RecordEvent<D>, RecordState<D>>
  reader: RecordReader<D>
}

export type LoadedRecord<D extends RecordDefinition> = LoadedStream<RecordState<D>, RecordEvent<D>> & {
  state: ExistingRecord<D>
}

/** Loads a record that the caller can see. Throws 404 when there is none, also when its patient was removed. */
export async function requireRecord<D extends RecordDefinition>(
  services: Services,
  caller: Member,
  { noun, decider, reader }: RecordKind<D>,
  id: string,
): Promise<LoadedRecord<D>> {
  const { state, ...stream } = await services.bus.load(decider, id)
  const isOfPractice = state.exists && state.practiceId === caller.practiceId
  if (!isOfPractice || !(await reader.find(services, recordScope(caller), id))) throw notFound(noun)
  return { ...stream, state }
}

type Edit<D extends RecordDefinition> = {
  loaded: LoadedRecord<D>
  commands: readonly RecordCommand<D>[]
  /** The revision that the user had on screen. */
  revision: number | undefined
}

/** Executes commands on the revision that the user saw. Throws 409 `changed-meanwhile` with the fields that others changed. */
export async function editRecord<D extends RecordDefinition>(
  { bus, db, clock }: Services,
  { noun, events: { definition }, decider }: RecordKind<D>,
  { loaded, commands, revision }: Edit<D>,
  context: CommandContext,
): Promise<void> {
  const at = clock().toISOString()
  const timed = commands.map((command) => ({ command, at }))
  const expected = revision === undefined ? {} : { expectedRevision: BigInt(revision) }
  try {
    await bus.executeAll(decider, String(loaded.state.id), timed, context, { loaded, ...expected })
  } catch (error) {
    if (!isConflict(error, decider)) throw error
    const { state } = error
    return await throwFieldConflict<Recorded, string>(db, {
      since: error.conflictingEvents,
      changedFields: (event) => changedFields(definition, event),
      now: state.exists ? { ...(state.fields as object), [definition.statusField]: state.status } : {},
      message: `This ${noun} was changed by someone else`,
    })
  }
}

/** Returns the fields that an event changed, as replies name them. */
function changedFields({ names, statusField, transitions }: RecordDefinition, { type, data }: Recorded): string[] {
  if (type === names.changed) return Object.keys(data['to'] as object)
  return type in transitions ? [statusField] : []
}

/** Returns the history of a record for its details, newest first: status, changed fields, time and user of each event. */
export async function describeHistory<D extends RecordDefinition>(
  { db }: Pick<Services, 'db'>,
  { definition }: RecordEvents<D>,
  history: readonly Recorded[],
): Promise<RecordHistoryEntry[]> {
  const { names, statusField, initialStatus } = definition
  const transitions: RecordDefinition['transitions'] = definition.transitions
  const userIds = history.flatMap(({ metadata: { actor } }) => (actor.kind === 'user' ? [actor.userId] : []))
  const users = await findUserNames(db, [...new Set(userIds)])
  const entries = history.map((event) => {
    const { type, metadata } = event
    const { actor, at } = metadata
    return {
      at,
      by: actor.kind === 'user' ? (users.get(actor.userId) ?? null) : null,
      status: type === names.created ? initialStatus : (transitions[type]?.to ?? null),
      changedFields: changedFields(definition, event).filter((field) => field !== statusField),
    }
  })
  return entries.toReversed()
}
