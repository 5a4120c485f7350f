import { statfs } from 'node:fs/promises'
import { reservedBytes, reserveSpace } from './reserved-space.ts'

const mebibyte = 1024 * 1024

/** Limits of the free space in bytes. */
type DiskLimits = {
  /** Below it, health is `degraded`. */
  lowBytes: number
  /** Below it, writes are refused, so that PostgreSQL keeps room for its write-ahead log: without any it shuts down. */
  fullBytes: number
}

const defaultLimits: DiskLimits = { lowBytes: 1024 * mebibyte, fullBytes: 128 * mebibyte }

/** The free space of the installation, the smallest of its disks. `freeBytes` is null where no disk can be seen. */
export type DiskSpace = { status: 'ok' | 'low' | 'full'; freeBytes: number | null }

/** Watches the free space of the installation. */
export type DiskMonitor = {
  getSpace(): DiskSpace
  /** Returns whether writes are refused because they could not be stored, or would take the last space. */
  refusesWrites(): boolean
  /** Records whether the database stored a write, or refused it for lack of space. */
  reportWrite(isStored: boolean): void
  stop(): void
}

type Options = {
  /** The folder of the embedded database; undefined with an external one, whose disk cannot be seen. */
  folder?: string | undefined
  /** Returns the free bytes of an external event store; null when they are not known. */
  readEventStore?: (() => Promise<number | null>) | undefined
  limits?: DiskLimits
  intervalMs?: number
  /** Duration after a write that the database refused for lack of space in which further ones are refused without it. */
  refusalMs?: number
  /** Called with every change of the status. */
  onChange?: (space: DiskSpace) => void
}

/** Milliseconds after the start when space is reserved: the start itself is not delayed. */
const reserveAfterMs = 10_000

/** Creates the monitor: it reads the free space every second, and learns of a full disk that it cannot see from refused writes. */
export function createDiskMonitor(options: Options): DiskMonitor {
  const { folder, readEventStore, limits = defaultLimits, intervalMs = 1_000, refusalMs = 5_000, onChange } = options
  const startedAt = performance.now()
  let ownBytes: number | null = null
  let eventStoreBytes: number | null = null
  let freeBytes: number | null = null
  let refusedAt: number | undefined
  let status: DiskSpace['status'] = 'ok'

  const hasNoRoom = () => freeBytes !== null && freeBytes < limits.fullBytes
  const wasRefusedLately = () => refusedAt !== undefined && performance.now() - refusedAt < refusalMs

  function update(): void {
    const before = status
    if (hasNoRoom() || refusedAt !== undefined) status = 'full'
    else status = freeBytes !== null && freeBytes < limits.lowBytes ? 'low' : 'ok'
    if (status !== before) onChange?.({ status, freeBytes })
  }

  function updateFreeBytes(): void {
    const known = [ownBytes, eventStoreBytes].filter((bytes) => bytes !== null)
    freeBytes = known.length === 0 ? null : Math.min(...known)
    if (!hasNoRoom() && !wasRefusedLately()) refusedAt = undefined
    update()
  }

  async function readOwn(watched: string): Promise<void> {
    const { bavail, bsize } = await statfs(watched)
    ownBytes = bavail * bsize
    updateFreeBytes()
    const hasPlenty = ownBytes > limits.lowBytes + reservedBytes
    if (hasPlenty && performance.now() - startedAt > reserveAfterMs) await reserveSpace(watched)
  }

  async function readRemote(readBytes: () => Promise<number | null>): Promise<void> {
    eventStoreBytes = await readBytes()
    updateFreeBytes()
  }

  /** Reads at once and in every interval, unless the last read has not ended: a disk that hangs would collect them. */
  function repeat(read: () => Promise<void>): NodeJS.Timeout {
    let isReading = false
    const readOnce = async () => {
      if (isReading) return
      isReading = true
      // After a failure, the last known value stays valid until the next read.
      await read().catch(() => undefined)
      isReading = false
    }
    void readOnce()
    return setInterval(() => void readOnce(), intervalMs).unref()
  }

  const timers: NodeJS.Timeout[] = []
  if (folder !== undefined) timers.push(repeat(() => readOwn(folder)))
  if (readEventStore) timers.push(repeat(() => readRemote(readEventStore)))
  return {
    getSpace: () => ({ status, freeBytes }),
    refusesWrites: () => hasNoRoom() || wasRefusedLately(),
    reportWrite(isStored) {
      refusedAt = isStored ? undefined : performance.now()
      update()
    },
    stop: () => timers.forEach((timer) => clearInterval(timer)),
  }
}
