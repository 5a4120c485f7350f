import type { PracticeId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { Recorded } from '#eventstore/event.ts'
import type { Cause } from '#process-managers/process-manager.ts'

/** Returns the context for commands whose actor is the job itself. */
export const processContext = (job: string, practiceId: PracticeId, cause: Cause): CommandContext => ({
  practiceId,
  actor: { kind: 'process', name: job },
  ...cause,
})

/** Returns the context for commands that complete a user's request: its actor stays the user. */
export const originalContext = ({ metadata, id }: Recorded): CommandContext => ({
  practiceId: metadata.practiceId,
  actor: metadata.actor,
  correlationId: metadata.correlationId,
  causationId: id,
  sample: metadata.sample,
})
