import type { Recorded } from '#eventstore/event.ts'

/** Returns the event's type and the kind of error, never data: `PatientRegistered: RangeError`. */
export function describeFailure({ type }: Recorded, error: unknown): string {
  const kind = error instanceof Error ? `${error.name} ${(error as { code?: string }).code ?? ''}`.trim() : 'unknown'
  return `${type}: ${kind}`
}
