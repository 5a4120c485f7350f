import type { ServerDuplexStream } from '@grpc/grpc-js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import type { AppendResult, ExpectedRevision, WireLog } from './log.ts'
import { parseProposedEvent, parseStreamName } from './messages.ts'
import type { Faults } from './faults.ts'

/** The long-lived call over which a client sends appends, each with a correlation id. */
export type BatchCall = ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>

type Dependencies = {
  log: WireLog
  faults: Faults
  findRejection: (call: BatchCall) => Error | undefined
  dropConnections: () => void
}

/** Carries out appends in the order in which they arrive, as the real server does. */
export function handleBatchAppends(
  call: BatchCall,
  { log, faults, findRejection, dropConnections }: Dependencies,
): void {
  const rejection = findRejection(call)
  if (rejection) return void call.emit('error', rejection)
  call.on('error', () => undefined)
  call.on('end', () => call.end())
  let isBroken = false
  const breakConnection = () => {
    isBroken = true
    dropConnections()
  }
  call.on('data', (request: streams.BatchAppendReq) => {
    // An append is never carried out without the ones before it.
    if (isBroken) return
    const options = request.getOptions()
    if (!options || !request.getIsFinal()) throw new Error('The test server knows only appends in one message')
    if (faults.dropBeforeWrite > 0 && faults.dropBeforeWrite--) return breakConnection()
    const events = request.getProposedMessagesList().map(parseProposedEvent)
    const result = log.append(parseStreamName(options.getStreamIdentifier()), parseExpectedRevision(options), events)
    if (faults.dropAfterWrite > 0 && faults.dropAfterWrite--) return breakConnection()
    if (faults.silentAfterWrite > 0 && faults.silentAfterWrite--) return
    call.write(buildResponse(request, result))
  })
}

function parseExpectedRevision(options: streams.BatchAppendReq.Options): ExpectedRevision {
  if (options.hasNoStream()) return 'no-stream'
  if (options.hasStreamPosition()) return BigInt(options.getStreamPosition())
  throw new Error('The test server knows only exact expectations')
}

/** The adapter copies into streams that nothing else writes to: other results do not occur. */
function buildResponse(request: streams.BatchAppendReq, result: AppendResult): streams.BatchAppendResp {
  if (result.status !== 'written') throw new Error(`The test server does not know how to reply to: ${result.status}`)
  const position = new shared.AllStreamPosition()
  position.setCommitPosition(String(result.position))
  position.setPreparePosition(String(result.position))
  const success = new streams.BatchAppendResp.Success()
  success.setCurrentRevision(String(result.revision))
  success.setPosition(position)
  const response = new streams.BatchAppendResp()
  response.setCorrelationId(request.getCorrelationId())
  response.setStreamIdentifier(request.getOptions()?.getStreamIdentifier())
  response.setSuccess(success)
  return response
}
