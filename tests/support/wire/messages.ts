import { Metadata, type ServiceError, status } from '@grpc/grpc-js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import type { Entry, ExpectedRevision, ProposedEvent, AppendResult } from './log.ts'

const ticksPerMillisecond = 10_000n
const bytes = (value: Uint8Array) => Buffer.from(value).toString('base64')

/** Returns the name in a stream identifier. */
export const parseStreamName = (identifier: shared.StreamIdentifier | undefined): string =>
  Buffer.from(identifier?.getStreamName_asU8() ?? new Uint8Array()).toString('utf8')

/** Parses one event of an append. */
export function parseProposedEvent(
  message: streams.AppendReq.ProposedMessage | streams.BatchAppendReq.ProposedMessage,
): ProposedEvent {
  const about = message.getMetadataMap()
  return {
    id: message.getId()?.getString() ?? '',
    type: about.get('type') ?? '',
    contentType: about.get('content-type') ?? '',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  }
}

/** Parses the expected revision of an append. The adapter sends exact revisions only. */
export function parseExpectedRevision(options: streams.AppendReq.Options): ExpectedRevision {
  if (options.hasNoStream()) return 'no-stream'
  if (options.hasRevision()) return BigInt(options.getRevision())
  throw new Error('The test server knows only exact expectations')
}

/** Builds the response to an append. */
export function buildAppendResponse(
  written: Exclude<AppendResult, { status: 'too-large' | 'broken' }>,
  expected: ExpectedRevision,
): streams.AppendResp {
  const response = new streams.AppendResp()
  if (written.status === 'conflict') {
    const conflict = new streams.AppendResp.WrongExpectedVersion()
    if (written.current === 'no-stream') conflict.setCurrentNoStream(new shared.Empty())
    else conflict.setCurrentRevision(String(written.current))
    if (expected === 'no-stream') conflict.setExpectedNoStream(new shared.Empty())
    else conflict.setExpectedRevision(String(expected))
    response.setWrongExpectedVersion(conflict)
    return response
  }
  const success = new streams.AppendResp.Success()
  if (written.revision === 'no-stream') success.setNoStream(new shared.Empty())
  else success.setCurrentRevision(String(written.revision))
  if (written.position === undefined) success.setNoPosition(new shared.Empty())
  else {
    const position = new streams.AppendResp.Position()
    position.setCommitPosition(String(written.position))
    position.setPreparePosition(String(written.position))
    success.setPosition(position)
  }
  response.setSuccess(success)
  return response
}

/** One event on its way to a reader. */
export function buildEventResponse(entry: Entry): streams.ReadResp {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
  const id = new shared.UUID()
  id.setString(entry.id)
  recorded.setId(id)
  const identifier = new shared.StreamIdentifier()
  identifier.setStreamName(bytes(Buffer.from(entry.stream)))
  recorded.setStreamIdentifier(identifier)
  recorded.setStreamRevision(String(entry.revision))
  recorded.setCommitPosition(String(entry.position))
  recorded.setPreparePosition(String(entry.position))
  recorded
    .getMetadataMap()
    .set('type', entry.type)
    .set('content-type', entry.contentType)
    .set('created', String(BigInt(entry.created) * ticksPerMillisecond))
  recorded.setCustomMetadata(bytes(entry.metadata))
  recorded.setData(bytes(entry.data))
  const event = new streams.ReadResp.ReadEvent()
  event.setEvent(recorded)
  event.setCommitPosition(String(entry.position))
  const response = new streams.ReadResp()
  response.setEvent(event)
  return response
}

/** The answers of a read that are no events. */
export const readResponses = {
  notFound(stream: string) {
    const identifier = new shared.StreamIdentifier()
    identifier.setStreamName(bytes(Buffer.from(stream)))
    const missing = new streams.ReadResp.StreamNotFound()
    missing.setStreamIdentifier(identifier)
    const response = new streams.ReadResp()
    response.setStreamNotFound(missing)
    return response
  },
  confirmed() {
    const confirmation = new streams.ReadResp.SubscriptionConfirmation()
    confirmation.setSubscriptionId(crypto.randomUUID())
    const response = new streams.ReadResp()
    response.setConfirmation(confirmation)
    return response
  },
  caughtUp() {
    const response = new streams.ReadResp()
    response.setCaughtUp(new streams.ReadResp.CaughtUp())
    return response
  },
}

/** Creates an error as the server sends it: the library distinguishes errors by `exception`. */
export function createGrpcError(code: status, details: string, metadata: Record<string, string> = {}): ServiceError {
  const trailers = new Metadata()
  for (const [name, value] of Object.entries(metadata)) trailers.set(name, value)
  return Object.assign(new Error(details), { code, details, metadata: trailers })
}

export const grpcErrors = {
  tooLarge: (limit: number) =>
    createGrpcError(status.INVALID_ARGUMENT, `Maximum Append Size of ${limit} Exceeded.`, {
      exception: 'maximum-append-size-exceeded',
      'maximum-append-size': String(limit),
    }),
  notLeader: ({ host, port }: { host: string; port: number }) =>
    createGrpcError(status.NOT_FOUND, `Leader info available at ${host}:${port}.`, {
      exception: 'not-leader',
      'leader-endpoint-host': host,
      'leader-endpoint-port': String(port),
    }),
  unknown: (details: string) => createGrpcError(status.UNKNOWN, details),
  /** An error without a type of its own. */
  thrown: () => createGrpcError(status.UNKNOWN, 'Exception was thrown by handler.'),
  timedOut: () => createGrpcError(status.ABORTED, 'Operation timed out: Commit phase timeout.'),
  accessDenied: () => createGrpcError(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' }),
}
