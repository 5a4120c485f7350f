import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises'
import type { ServerWritableStream } from '@grpc/grpc-js'
import type streams from '@eventstore/db-client/generated/streams_pb.js'
import type { Entry, WireLog } from './log.ts'
import { buildEventResponse, grpcErrors, parseStreamName, readResponses } from './messages.ts'

type Call = ServerWritableStream<streams.ReadReq, streams.ReadResp>
type ReadFaults = {
  delayMs(): number
  /** Number of events after which the connection breaks; null if it does not. */
  dropAfterEvents(): number | null
  cut(): void
}

const streamPageError = grpcErrors.unknown('Unexpected ReadStreamResult: Error')
const allPageError = grpcErrors.unknown('Unexpected ReadAllResult: Error')

/** The first index and the direction of a read in a list of entries; or its error. */
type ReadStart = { at: number; step: 1 | -1 } | { refused: Error }

/** Handles one Read call: a page of a stream or of the whole log, or a subscription. */
export async function handleRead(call: Call, log: WireLog, faults: ReadFaults): Promise<void> {
  const options = call.request.getOptions()
  if (!options) return void call.emit('error', grpcErrors.unknown('No options'))
  const live = options.hasSubscription()
  const name = options.hasAll() ? undefined : parseStreamName(options.getStream()?.getStreamIdentifier())
  const entries = () => (name === undefined ? log.all : log.stream(name))
  const count = live ? Infinity : Number(options.getCount())
  const breaksAfter = faults.dropAfterEvents()
  if (faults.delayMs() > 0) await sleep(faults.delayMs())
  if (!live && name !== undefined && !entries()) {
    call.write(readResponses.notFound(name))
    return void call.end()
  }
  // The server never replies to a page of the whole log with a count of zero.
  if (count === 0 && name === undefined) return
  const begin = count === 0 ? { refused: streamPageError } : resolveReadStart(options, entries() ?? [], live)
  if ('refused' in begin) return void call.emit('error', begin.refused)

  let closed = false
  const firstWake = Promise.withResolvers<void>()
  let wake = firstWake.resolve
  let woken = firstWake.promise
  const stopListening = log.listen(() => wake())
  const stop = () => {
    closed = true
    stopListening()
    wake()
  }
  call.on('cancelled', stop).on('close', stop).on('error', stop)
  if (live) call.write(readResponses.confirmed())

  let { at } = begin
  let caughtUp = false
  for (let sent = 0; ;) {
    for (let entry = entries()?.[at]; !closed && entry && sent < count; entry = entries()?.[at]) {
      if (breaksAfter === sent) {
        await waitForDelivery()
        return faults.cut()
      }
      at += begin.step
      sent++
      if (!call.write(buildEventResponse(entry))) await waitForDrain(call)
    }
    if (closed || !live) break
    // A subscription to a stream that does not exist reports that it has caught up only after its first event.
    if (!caughtUp && entries()) {
      caughtUp = true
      call.write(readResponses.caughtUp())
    }
    await woken
    const next = Promise.withResolvers<void>()
    wake = next.resolve
    woken = next.promise
  }
  stop()
  call.end()
}

/**
 * Waits until everything that was sent has arrived, before a connection is cut. Server, proxy and client share this
 * process: each iteration of its event loop advances all of them, while a timer might fire before any of them has run.
 */
async function waitForDelivery(): Promise<void> {
  for (let count = 0; count < 500; count++) await nextIteration()
}

/** Resolves when the client accepts more data or has gone. */
const waitForDrain = (call: Call) =>
  new Promise<void>((resolve) => {
    const done = () => {
      call.off('drain', done).off('cancelled', done).off('close', done)
      resolve()
    }
    call.on('drain', done).on('cancelled', done).on('close', done)
  })

function resolveReadStart(options: streams.ReadReq.Options, entries: readonly Entry[], live: boolean): ReadStart {
  const backwards = options.getReadDirection() === 1
  const step = backwards ? -1 : 1
  const end = backwards ? entries.length - 1 : entries.length
  const all = options.getAll()
  if (all) {
    if (all.hasStart()) return { at: backwards ? -1 : 0, step }
    if (all.hasEnd()) return { at: end, step }
    const [wanted, prepare] = [all.getPosition()?.getCommitPosition(), all.getPosition()?.getPreparePosition()].map(
      (position) => BigInt(position ?? 0),
    ) as [bigint, bigint]
    if (prepare > wanted) return { refused: grpcErrors.thrown() }
    // Beyond the start of the last entry the server replies as if there were no further event, also in the middle of it.
    if (wanted > (entries.at(-1)?.position ?? -1n) && !backwards) return { at: entries.length, step }
    const at = indexOf(entries, wanted)
    if (at === undefined) return { refused: live ? grpcErrors.thrown() : allPageError }
    // Forwards inclusive, backwards and for subscriptions exclusive.
    return { at: backwards ? at - 1 : live ? at + 1 : at, step }
  }
  const stream = options.getStream()
  if (stream?.hasStart()) return { at: 0, step }
  if (stream?.hasEnd()) return backwards || live ? { at: end, step } : { refused: streamPageError }
  const revision = Number(stream?.getRevision() ?? 0)
  return { at: backwards ? Math.min(revision, end) : live ? revision + 1 : revision, step }
}

/** Returns the index of the entry at a position, by binary search. */
function indexOf(entries: readonly Entry[], position: bigint): number | undefined {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((entries[middle]?.position ?? 0n) < position) low = middle + 1
    else high = middle
  }
  return entries[low]?.position === position ? low : undefined
}
