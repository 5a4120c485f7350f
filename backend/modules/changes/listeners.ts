import type { ChangeHint } from '#contracts/changes.ts'
import type { MessageStream } from '#http/serve-stream.ts'
import { findMemberships, type Membership } from '#modules/accounts/public.ts'
import type { Services } from '#modules/module.ts'

export type HintStream = MessageStream<ChangeHint>

/** A stream, and the place of its user as it was verified last. */
type Listener = { stream: HintStream; verified: Pick<Membership, 'practiceId' | 'role' | 'isOwner'> }

/** Memberships are read in every round, but not more often than this. */
const verifyIntervalMs = 500

/** Creates the open streams of live updates of this instance, by practice. */
export function createListeners({ db, clock }: Pick<Services, 'db' | 'clock'>) {
  const byPractice = new Map<string, Set<Listener>>()
  let verifiedAt = 0

  const findMembershipsOf = (among: readonly Listener[]) =>
    findMemberships(db, [...new Set(among.map(({ stream }) => stream.caller.userId))], clock())

  return {
    /** Adds a stream; returns what removes it. */
    add(stream: HintStream): () => void {
      const { practiceId } = stream.caller
      const listener: Listener = { stream, verified: stream.caller }
      const ofPractice = byPractice.get(practiceId) ?? new Set()
      byPractice.set(practiceId, ofPractice.add(listener))
      return () => {
        ofPractice.delete(listener)
        if (ofPractice.size === 0 && byPractice.get(practiceId) === ofPractice) byPractice.delete(practiceId)
      }
    },

    isEmpty: () => byPractice.size === 0,

    isListening: (practiceId: string | null) => byPractice.has(practiceId ?? ''),

    /** Returns the streams of these practices; those of users who have just left them are verified instead. */
    async findStreams(practiceIds: readonly string[]): Promise<HintStream[]> {
      const listeners = practiceIds.flatMap((practiceId) => [...(byPractice.get(practiceId) ?? [])])
      const memberships = await findMembershipsOf(listeners)
      const isMember = ({ caller }: HintStream) => memberships.get(caller.userId)?.practiceId === caller.practiceId
      const streams = listeners.map(({ stream }) => stream)
      for (const stream of streams) if (!isMember(stream)) stream.verify()
      return streams.filter(isMember)
    },

    /** Verifies the streams of users whose role or practice has changed, whatever has changed it. */
    async verify(): Promise<void> {
      if (performance.now() - verifiedAt < verifyIntervalMs) return
      verifiedAt = performance.now()
      const listeners = [...byPractice.values()].flatMap((ofPractice) => [...ofPractice])
      const memberships = await findMembershipsOf(listeners)
      for (const listener of listeners) {
        const { stream, verified } = listener
        const now = memberships.get(stream.caller.userId)
        if (now && isSamePlace(now, verified)) continue
        if (now) listener.verified = now
        stream.verify()
      }
    },
  }
}

const isSamePlace = (one: Listener['verified'], other: Listener['verified']) =>
  one.practiceId === other.practiceId && one.role === other.role && one.isOwner === other.isOwner
