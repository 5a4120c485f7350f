import { setImmediate as nextImmediate, setTimeout as sleep } from 'node:timers/promises'
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
import { type BatchCall, handleBatchAppends } from './batch-appends.ts'
import type { Faults } from './faults.ts'
import { handleRead } from './reads.ts'

/** Test double of an EventStoreDB node: the part of its real wire protocol that the adapter uses, behind a faulty proxy. */
export type WireServer = {
  /** Connection string, as in EVENTSTORE_URL. */
  url: string
  port: number
  log: WireLog
  faults: Faults
  proxy: FaultyProxy
  /** Number of calls by method. */
  calls: { append: number; batchAppend: number; read: number; subscribe: number }
  /** Sends GOAWAY on every connection, as before a planned restart. */
  sendGoAway(): void
  stop(): Promise<void>
}

type Options = {
  /** Shared by the nodes of a cluster. */
  log?: WireLog
  /** Ports of all nodes, the leader first, for gossip. */
  members?: () => readonly number[]
  /** Uses TLS with this certificate and accepts only this user. */
  tls?: { certificate: string; key: string; user: string; password: string }
}

/** Starts a node on a free port. */
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
  const server = new Server({ 'grpc.max_receive_message_length': 16 * 1024 * 1024 })
  let ownPort = 0
  const proxy = await startFaultyProxy(() => ownPort)

  const findRejection = (call: { metadata: { get(name: string): unknown[] } }) => {
    const authorization = tls && `Basic ${Buffer.from(`${tls.user}:${tls.password}`).toString('base64')}`
    if (faults.denyAccess || (tls && call.metadata.get('authorization')[0] !== authorization))
      return grpcErrors.accessDenied()
    const needsLeader = call.metadata.get('requires-leader')[0] === 'true'
    return faults.leader && needsLeader ? grpcErrors.notLeader(faults.leader) : undefined
  }

  function append(
    call: ServerReadableStream<streams.AppendReq, streams.AppendResp>,
    reply: sendUnaryData<streams.AppendResp>,
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
      // An interrupted call ends here like a complete one and is cancelled a moment later: part of it must never be written.
      await nextImmediate()
      if (call.cancelled) return
      const refused = findRejection(call)
      if (refused || !options) return reply(refused ?? grpcErrors.unknown('No options'))
      if (faults.delayMs > 0) await sleep(faults.delayMs)
      if (faults.dropBeforeWrite > 0 && faults.dropBeforeWrite--) return proxy.dropConnections()
      const expected = parseExpectedRevision(options)
      const written = log.append(
        parseStreamName(options.getStreamIdentifier()),
        expected,
        events.map(parseProposedEvent),
      )
      if (faults.dropAfterWrite > 0 && faults.dropAfterWrite--) return proxy.dropConnections()
      if (faults.silentAfterWrite > 0 && faults.silentAfterWrite--) return
      if (faults.timeOutAfterWrite > 0 && faults.timeOutAfterWrite--) return reply(grpcErrors.timedOut())
      if (written.status === 'too-large') reply(grpcErrors.tooLarge(maxAppendBytes))
      else if (written.status === 'broken') reply(grpcErrors.thrown())
      else reply(null, buildAppendResponse(written, expected))
    }
  }

  function read(call: ServerWritableStream<streams.ReadReq, streams.ReadResp>): void {
    const live = call.request.getOptions()?.hasSubscription() ?? false
    calls[live ? 'subscribe' : 'read']++
    const refused = findRejection(call)
    if (refused) return void call.emit('error', refused)
    void handleRead(call, log, {
      delayMs: () => faults.delayMs,
      dropAfterEvents() {
        const after = live ? null : faults.dropReadAfter
        if (!live) faults.dropReadAfter = null
        return after
      },
      cut: proxy.dropConnections,
    })
  }

  const unimplemented = (_: unknown, reply: sendUnaryData<never>) =>
    reply(createGrpcError(status.UNIMPLEMENTED, 'The adapter never deletes'))

  server.addService(streamsService.StreamsService, {
    append,
    read,
    batchAppend: (call: BatchCall) => {
      calls.batchAppend++
      handleBatchAppends(call, { log, faults, findRejection, dropConnections: proxy.dropConnections })
    },
    delete: unimplemented,
    tombstone: unimplemented,
  })
  // Advertised nevertheless, as by the real server.
  server.addService(featureService.ServerFeaturesService, {
    getSupportedMethods: (_: unknown, reply: sendUnaryData<featureMessages.SupportedMethods>) =>
      reply(null, supportedMethods()),
  })
  server.addService(gossipService.GossipService, {
    read: (_: ServerUnaryCall<shared.Empty, gossipMessages.ClusterInfo>, reply: sendUnaryData<object>) =>
      reply(null, clusterInfo(members?.() ?? [proxy.port])),
  })
  ownPort = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', createCredentials(tls), (error, port) => (error ? reject(error) : resolve(port))),
  )
  return {
    url: tls
      ? `esdb://${tls.user}:${tls.password}@localhost:${proxy.port}`
      : `esdb://127.0.0.1:${proxy.port}?tls=false`,
    port: proxy.port,
    log,
    faults,
    proxy,
    calls,
    sendGoAway: () => server.drain(`127.0.0.1:${ownPort}`, 1_000),
    async stop() {
      await proxy.close()
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
