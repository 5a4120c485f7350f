import { type AppendOptions, type EventStore, StorageFull, type StreamAppend } from '#eventstore/event-store.ts'
import type { DiskMonitor } from '#runtime/disk-space.ts'
import { timeStep } from '#runtime/step-times.ts'

/**
 * Wraps the event store so that it refuses events on a disk without room, before PostgreSQL fails for lack of it. Streams
 * of the essential categories, such as sessions, are written as long as they fit: without signing in nothing can be read.
 */
export function guardEventStore<Store extends EventStore>(
  store: Store,
  disk: DiskMonitor,
  essentialCategories: readonly string[],
): Store {
  const isEssential = (stream: string) => essentialCategories.some((category) => stream.startsWith(`${category}-`))

  /** Writes events to streams, unless there is no room for them. */
  async function write<Result extends { status: string }>(
    streams: string[],
    run: () => Promise<Result>,
  ): Promise<Result> {
    if (disk.refusesWrites() && !streams.every(isEssential)) throw new StorageFull('There is no room for more events')
    try {
      const appended = await timeStep('append', run)
      if (appended.status === 'appended') disk.reportWrite(true)
      return appended
    } catch (error) {
      if (error instanceof StorageFull) disk.reportWrite(false)
      throw error
    }
  }

  const { append, appendTogether } = store
  return {
    ...store,
    append: (stream, ...args) => write([stream], () => append(stream, ...args)),
    ...(appendTogether && {
      appendTogether: (appends: readonly StreamAppend[], options?: AppendOptions) =>
        write(
          appends.map(({ stream }) => stream),
          () => appendTogether(appends, options),
        ),
    }),
  }
}
