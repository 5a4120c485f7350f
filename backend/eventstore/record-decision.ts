import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { OperationRefused } from '#runtime/operation-refused.ts'
import { mapVersionsByType } from './event-schemas.ts'
import type { DomainEvent, NewEvent, Recorded } from './event.ts'
import type { EventStore, ExpectedRevision } from './event-store.ts'

type Decision = {
  stream: string
  /** The schema of the decisions in this stream; the event is parsed by it. */
  schema: z.ZodType<DomainEvent>
  event: DomainEvent
  /** Omitted: a new id. */
  id?: string
  /** Name of the process that records it. */
  process: string
  /** Omitted: the decision is its own cause. */
  causationId?: string
  /** Returns whether an earlier event of the stream is the same decision. */
  isSame: (earlier: Recorded) => boolean
}

/**
 * Records an operator's decision, which belongs to no practice. Repeated, it is recorded once. Throws OperationRefused when
 * the reason is too long.
 */
export async function recordDecision(store: EventStore, decision: Decision): Promise<void> {
  const { stream, schema, isSame } = decision
  const { type, data } = schema.parse(decision.event)
  const correlationId = randomUUID()
  const event: NewEvent = {
    type,
    data,
    id: decision.id ?? randomUUID(),
    metadata: {
      practiceId: null,
      actor: { kind: 'process', name: decision.process },
      correlationId,
      causationId: decision.causationId ?? correlationId,
      at: new Date().toISOString(),
      schemaVersion: mapVersionsByType(schema).get(type) ?? 1,
      sample: false,
    },
  }
  for (;;) {
    let revision: ExpectedRevision = 'no-stream'
    for await (const earlier of store.read(stream)) {
      if (isSame(earlier)) return
      revision = earlier.revision
    }
    const { status } = await store.append(stream, revision, [event])
    if (status === 'too-large') throw new OperationRefused('The reason is too long')
    if (status !== 'conflict') return
  }
}
