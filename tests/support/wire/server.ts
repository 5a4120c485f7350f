import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import {
  type sendUnaryData,
  Server,
  ServerCredentials,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  status,
} from '@grpc/grpc-js'
import featureMessages from '@eventstore/db-client/generated/serverfeatures_pb.js'
import featureService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import gossipMessages from '@eventstore/db-client/generated/gossip_pb.js'
import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import type streams from '@eventstore/db-client/generated/streams_pb.js'
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js'
import { maxAppendBytes, createWireLog, type WireLog } from './log.ts'
import {
  buildAppendResponse,
  parseExpectedRevision,
  createGrpcError,
  grpcErrors,
  parseStreamName,
  parseProposedEvent,
} from './messages.ts'
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts'
import { handleRead } from './reads.ts'

/** What goes wrong next. Each is on until it is taken back; those with a number count down. */
export type Faults = {
  /** Milliseconds before every answer. */
  delayMs: number
  /** So many appends are lost on the way: the connection breaks before anything is written. */
  dropBeforeWrite: number
  /** So many appends are written, and the connection breaks before the answer. */
  dropAfterWrite: number
  /** So many appends are written, and never answered. */
  silentAfterWrite: number
  /** So many appends are written, and answered as the store does when its own time for them was up. */
  timeOutAfterWrite: number
  /** The connection breaks after so many events of the next read. */
  dropReadAfter: number | null
  /** Another node leads: calls that need the leader are sent there. */
  leader: { host: string; port: number } | null
  /** Every call is refused, as with a wrong password. */
  denyAccess: boolean
}

/** A node of EventStoreDB as far as we use one: its real wire protocol, over a network that can be made bad. */
export type WireServer = {
  /** What EVENTSTORE_URL would be. */
  url: string
  port: number
  log: WireLog
  faults: Faults
  proxy: FaultyProxy
  /** How often each call came. */
  calls: { append: number; batchAppend: number; read: number; subscribe: number }
  /** When each subscription was asked for, in milliseconds of a clock that never goes back. */
  subscribedAt: number[]
  /** Says GOAWAY to every connection, as before a planned restart. */
  sendGoAway(): void
  stop(): Promise<void>
}

type Options = {
  /** Shared by the nodes of a cluster. */
  log?: WireLog
  /** The ports of all nodes, the leader first, for those who ask by gossip. */
  members?: () => readonly number[]
  /** Talks TLS with this certificate, and only to one user. */
  tls?: { certificate: string; key: string; user: string; password: string }
}

/** Starts one on a free port. */
export async function startWireServer({ log = createWireLog(), members, tls }: Options = {}): Promise<WireServer> {
  const faults: Faults = {
    delayMs: 0,
    dropBeforeWrite: 0,
    dropAfterWrite: 0,
    silentAfterWrite: 0,
    timeOutAfterWrite: 0,
    dropReadAfter: null,
    leader: null,
    denyAccess: false,
  }
  const calls = { append: 0, batchAppend: 0, read: 0, subscribe: 0 }
  const subscribedAt: number[] = []
  const server = new Server({ 'grpc.max_receive_message_length': 16 * 1024 * 1024 })
  let ownPort = 0
  const network = await startFaultyProxy(() => ownPort)

  const refusal = (call: { metadata: { get(name: string): unknown[] } }) => {
    const authorization = tls && `Basic ${Buffer.from(`${tls.user}:${tls.password}`).toString('base64')}`
    if (faults.denyAccess || (tls && call.metadata.get('authorization')[0] !== authorization))
      return grpcErrors.accessDenied()
    const needsLeader = call.metadata.get('requires-leader')[0] === 'true'
    return faults.leader && needsLeader ? grpcErrors.notLeader(faults.leader) : undefined
  }

  function append(
    call: ServerReadableStream<streams.AppendReq, streams.AppendResp>,
    answer: sendUnaryData<streams.AppendResp>,
  ): void {
    calls.append++
    let options: streams.AppendReq.Options | undefined
    const events: streams.AppendReq.ProposedMessage[] = []
    call.on('error', () => undefined)
    call.on('data', (request: streams.AppendReq) => {
      options ??= request.getOptions()
      const event = request.getProposedMessage()
      if (event) events.push(event)
    })
    call.on('end', () => void decide())

    async function decide() {
      // A call that is cut off ends here like a whole one, and is known to be cut a moment later: half of it is never written.
      await nextTurn()
      if (call.cancelled) return
      const refused = refusal(call)
      if (refused || !options) return answer(refused ?? grpcErrors.unknown('No options'))
      if (faults.delayMs > 0) await sleep(faults.delayMs)
      if (faults.dropBeforeWrite > 0 && faults.dropBeforeWrite--) return network.dropConnections()
      const expected = parseExpectedRevision(options)
      const written = log.append(
        parseStreamName(options.getStreamIdentifier()),
        expected,
        events.map(parseProposedEvent),
      )
      if (faults.dropAfterWrite > 0 && faults.dropAfterWrite--) return network.dropConnections()
      if (faults.silentAfterWrite > 0 && faults.silentAfterWrite--) return
      if (faults.timeOutAfterWrite > 0 && faults.timeOutAfterWrite--) return answer(grpcErrors.timedOut())
      if (written.status === 'too-large') answer(grpcErrors.tooLarge(maxAppendBytes))
      else if (written.status === 'broken') answer(grpcErrors.thrown())
      else answer(null, buildAppendResponse(written, expected))
    }
  }

  function read(call: ServerWritableStream<streams.ReadReq, streams.ReadResp>): void {
    const live = call.request.getOptions()?.hasSubscription() ?? false
    calls[live ? 'subscribe' : 'read']++
    if (live) subscribedAt.push(performance.now())
    const refused = refusal(call)
    if (refused) return void call.emit('error', refused)
    void handleRead(call, log, {
      delayMs: () => faults.delayMs,
      dropAfterEvents() {
        const after = live ? null : faults.dropReadAfter
        if (!live) faults.dropReadAfter = null
        return after
      },
      cut: network.dropConnections,
    })
  }

  const unimplemented = (_: unknown, answer: sendUnaryData<never>) =>
    answer(createGrpcError(status.UNIMPLEMENTED, 'We never delete'))

  server.addService(streamsService.StreamsService, {
    append,
    read,
    // The library must never come here: this path can hang for ever.
    batchAppend: (call: { destroy(): void }) => {
      calls.batchAppend++
      call.destroy()
    },
    delete: unimplemented,
    tombstone: unimplemented,
  })
  // Whoever asks is told of that path, as by the real one.
  server.addService(featureService.ServerFeaturesService, {
    getSupportedMethods: (_: unknown, answer: sendUnaryData<featureMessages.SupportedMethods>) =>
      answer(null, supportedMethods()),
  })
  server.addService(gossipService.GossipService, {
    read: (_: ServerUnaryCall<shared.Empty, gossipMessages.ClusterInfo>, answer: sendUnaryData<object>) =>
      answer(null, clusterInfo(members?.() ?? [network.port])),
  })
  ownPort = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', createCredentials(tls), (error, port) => (error ? reject(error) : resolve(port))),
  )
  return {
    url: tls
      ? `esdb://${tls.user}:${tls.password}@localhost:${network.port}`
      : `esdb://127.0.0.1:${network.port}?tls=false`,
    port: network.port,
    log,
    faults,
    proxy: network,
    calls,
    subscribedAt,
    sendGoAway: () => server.drain(`127.0.0.1:${ownPort}`, 1_000),
    async stop() {
      await network.close()
      server.forceShutdown()
    },
  }
}

function createCredentials(tls: Options['tls']): ServerCredentials {
  if (!tls) return ServerCredentials.createInsecure()
  return ServerCredentials.createSsl(null, [
    { private_key: Buffer.from(tls.key), cert_chain: Buffer.from(tls.certificate) },
  ])
}

function supportedMethods(): featureMessages.SupportedMethods {
  const supported = new featureMessages.SupportedMethods()
  supported.setEventStoreServerVersion('23.10.8')
  for (const name of ['read', 'append', 'batchappend', 'delete', 'tombstone']) {
    const method = new featureMessages.SupportedMethod()
    method.setServiceName('event_store.client.streams.streams')
    method.setMethodName(name)
    supported.addMethods(method)
  }
  return supported
}

function clusterInfo(ports: readonly number[]): gossipMessages.ClusterInfo {
  const { MemberInfo, ClusterInfo, EndPoint } = gossipMessages
  const cluster = new ClusterInfo()
  ports.forEach((port, index) => {
    const endPoint = new EndPoint()
    endPoint.setAddress('127.0.0.1')
    endPoint.setPort(port)
    const id = new shared.UUID()
    id.setString(crypto.randomUUID())
    const member = new MemberInfo()
    member.setInstanceId(id)
    member.setTimeStamp('1')
    member.setState(index === 0 ? MemberInfo.VNodeState.LEADER : MemberInfo.VNodeState.FOLLOWER)
    member.setIsAlive(true)
    member.setHttpEndPoint(endPoint)
    cluster.addMembers(member)
  })
  return cluster
}
