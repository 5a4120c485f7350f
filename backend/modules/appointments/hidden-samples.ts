import { type AppointmentId, PracticeId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { CommandBus } from '#eventstore/command-bus.ts'
import { ConcurrencyError } from '#eventstore/command-errors.ts'
import { hasPlanOpened } from '#modules/billing/public.ts'
import type { Slot } from '#modules/schedule/events.ts'
import { releaseSlot, type ReservedSlot } from '#modules/schedule/public.ts'
import { appointmentDecider } from './decider.ts'
import type { AppointmentEvent } from './events.ts'

/**
 * Releases a slot whose sample appointment is not shown anymore: it was removed a moment ago, or a plan has opened and the
 * removal has not reached it yet. Returns whether the slot was released. An appointment that a user edited becomes the
 * practice's own and keeps its slot.
 */
export async function releaseHiddenSample(
  bus: CommandBus,
  { appointmentId, reservationId, isSample }: ReservedSlot,
  { actor: _, ...cause }: CommandContext,
): Promise<boolean> {
  if (!isSample) return false
  const context: CommandContext = { ...cause, actor: { kind: 'process', name: 'sample-practice' }, sample: true }
  const slot = await removeHiddenSample(bus, appointmentId, context)
  if (slot?.reservationId !== reservationId) return false
  await releaseSlot(bus, slot, context)
  return true
}

/** Removes the appointment at the revision that was read: an edit at the same moment wins. Returns the slot that it left. */
async function removeHiddenSample(
  bus: CommandBus,
  appointmentId: AppointmentId,
  context: CommandContext,
): Promise<Slot | undefined> {
  const loaded = await bus.load(appointmentDecider, appointmentId)
  const { state, revision, history } = loaded
  if (!state.known) return findLeftSlot(history)
  const isEdited = history.some(({ metadata }) => metadata.actor.kind === 'user')
  const practiceId = PracticeId.parse(context.practiceId)
  if (!state.isSample || isEdited || revision === 'no-stream' || !(await hasPlanOpened(bus, practiceId)))
    return undefined
  try {
    const options = { expectedRevision: revision, loaded, consistency: 'eventual' } as const
    const command = { type: 'RemoveSample', practiceId } as const
    return findLeftSlot((await bus.execute(appointmentDecider, appointmentId, command, context, options)).events)
  } catch (error) {
    if (error instanceof ConcurrencyError) return await removeHiddenSample(bus, appointmentId, context)
    throw error
  }
}

const findLeftSlot = (events: readonly AppointmentEvent[]) =>
  events.flatMap((event) => (event.type === 'AppointmentRemoved' ? [event.data.slot] : [])).at(-1)
