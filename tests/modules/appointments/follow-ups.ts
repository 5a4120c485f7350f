import { expect } from 'vitest'
import type { DomainEvent } from '#eventstore/event.ts'
import type { Module } from '#modules/module.ts'
import { type AnyProcessManager, getJobRequests } from '#process-managers/process-manager.ts'
import { recordedEvent } from '#tests/support/events.ts'
import { practiceId } from './fixtures.ts'

/**
 * Returns the jobs that a process manager of a module requests for an event: name, start and data without the cause.
 * Expects that the module's job accepts the data, and that the cause is the event.
 */
export function requestsOf(manager: AnyProcessManager, { jobs = [] }: Module, event: DomainEvent, sample = false) {
  const recorded = recordedEvent(event, { metadata: { practiceId, sample } })
  return getJobRequests(manager, recorded).map(({ job, data, startAfter }) => {
    expect(jobs.find(({ name }) => name === job)?.data.parse(data)).toEqual(data)
    expect(data).toMatchObject({
      cause: { correlationId: recorded.metadata.correlationId, causationId: recorded.id },
    })
    const { cause: _, ...ids } = data as { cause: object }
    return { job, after: startAfter, ...ids }
  })
}
