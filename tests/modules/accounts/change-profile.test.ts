import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UserId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { createCommandBus } from '#eventstore/command-bus.ts'
import { CommandRejected, RetriesExhausted } from '#eventstore/command-errors.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { changeProfile } from '#modules/accounts/change-profile.ts'
import { userDecider } from '#modules/accounts/decider.ts'
import { usernameDecider } from '#modules/accounts/names/decider.ts'
import { registerUser } from '#modules/accounts/registration.ts'
import { createNameHasher } from '#modules/accounts/names/reserve-names.ts'
import { createMemoryStore } from '#tests/support/memory-store.ts'
import { crashingAfter, scheduled } from './difficult-stores.ts'

const keyedHash = (purpose: string, value: string) => `${purpose}:${value}`
const context: CommandContext = {
  practiceId: null,
  actor: { kind: 'process', name: 'test' },
  correlationId: randomUUID(),
}

/** One store and one clock, with accounts that change their usernames. */
function createAccounts() {
  const store = createMemoryStore()
  let now = Date.parse('2026-11-20T08:00:00.000Z')
  // Every reading of the clock is later than the one before.
  const clock = () => new Date(now++)
  const partsOver = (over: EventStore) => ({
    bus: createCommandBus({ store: over, clock, waitUntilCaughtUp: async () => undefined }),
    clock,
    keyedHash,
  })
  const parts = partsOver(store)
  const ids = createNameHasher(parts)
  return {
    store,
    advanceClock(milliseconds: number) {
      now += milliseconds
    },
    async register(username: string): Promise<UserId> {
      const userId = UserId.parse(randomUUID())
      const user = {
        userId,
        email: `${randomUUID()}@example.test`,
        username,
        firstName: 'Ada',
        lastName: 'Okafor',
        role: 'staff',
        newsletterOptIn: false,
        addressHash: 'hash',
      } as const
      await registerUser(parts, user, async () => undefined, context)
      return userId
    },
    rename: (userId: UserId, username: string, over: EventStore = store) =>
      changeProfile(partsOver(over), { userId, change: { username } }, context, {}),
    async findUsername(userId: UserId): Promise<string | null> {
      const { state } = await parts.bus.load(userDecider, userId)
      return state.status === 'registered' ? state.user.username : null
    },
    findHolder: async (username: string) =>
      (await parts.bus.load(usernameDecider, ids.username(username))).state?.userId ?? null,
  }
}

const codeOf = (error: unknown) => {
  if (error instanceof CommandRejected) return error.rejection.rejected
  if (error instanceof RetriesExhausted) return 'busy'
  if (error instanceof Error && error.message === 'crashed') return 'crashed'
  throw error
}

describe('another username', () => {
  it('is reserved, and the old one is free', async () => {
    const accounts = createAccounts()
    const [ada, ben] = [await accounts.register('ada'), await accounts.register('ben')]
    await accounts.rename(ada, 'ada.o')
    expect(await accounts.findUsername(ada)).toBe('ada.o')
    expect(await accounts.findHolder('ada')).toBeNull()
    await expect(accounts.rename(ben, 'ADA.O').catch(codeOf)).resolves.toBe('username-taken')
    await accounts.rename(ben, 'ada')
    await accounts.rename(ada, 'ben')
    expect(await accounts.findHolder('ada.o')).toBeNull()
  })

  it('can be changed back and forth', async () => {
    const accounts = createAccounts()
    const ada = await accounts.register('ada')
    for (const username of ['ada.o', 'ada', 'Ada', 'ada.o', 'ada']) await accounts.rename(ada, username)
    expect(await accounts.findUsername(ada)).toBe('ada')
    expect(await accounts.findHolder('ada')).toBe(ada)
    expect(await accounts.findHolder('ada.o')).toBeNull()
  })

  it('that an interrupted change reserved can be taken over after half a minute, and not before', async () => {
    const accounts = createAccounts()
    const [ada, ben] = [await accounts.register('ada'), await accounts.register('ben')]
    const interrupted = accounts.rename(ada, 'doc', crashingAfter(accounts.store, 1))
    await expect(interrupted.catch(codeOf)).resolves.toBe('crashed')
    expect(await accounts.findHolder('doc')).toBe(ada)
    await expect(accounts.rename(ben, 'doc').catch(codeOf)).resolves.toBe('username-taken')
    accounts.advanceClock(30_000)
    await accounts.rename(ben, 'doc')
    expect(await accounts.findHolder('doc')).toBe(ben)
    expect(await accounts.findUsername(ada)).toBe('ada')
  })

  it('that an interrupted change gave up can be taken again by the same user', async () => {
    const accounts = createAccounts()
    const ada = await accounts.register('ada')
    const interrupted = accounts.rename(ada, 'doc', crashingAfter(accounts.store, 2))
    await interrupted.catch(codeOf)
    expect(await accounts.findUsername(ada)).toBe('doc')
    expect(await accounts.findHolder('ada')).toBe(ada)
    await accounts.rename(ada, 'ada')
    expect([await accounts.findUsername(ada), await accounts.findHolder('ada')]).toEqual(['ada', ada])
  })

  it('is never shared, in any order of the steps and with any crash', async () => {
    const usernames = ['ada', 'Ben', 'doc', 'DOC']
    const renaming = fc.record({
      user: fc.nat({ max: 1 }),
      username: fc.constantFrom(...usernames),
      /** Dies after so many writes; never for a large number. */
      dies: fc.constantFrom(0, 1, 2, 9, 9, 9),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(renaming, { minLength: 2, maxLength: 5 }),
        fc.array(fc.constantFrom(1_000, 31_000), { maxLength: 3 }),
        async (scheduler, renamings, pauses) => {
          const accounts = createAccounts()
          const users = [await accounts.register('ada'), await accounts.register('ben')] as const
          const done = renamings.map(({ user, username, dies }, index) => {
            const store = crashingAfter(scheduled(accounts.store, scheduler, `change ${index}`), dies)
            return accounts.rename(users[user] ?? users[0], username, store).then(() => 'changed', codeOf)
          })
          for (const [index, pause] of pauses.entries())
            void scheduler.schedule(Promise.resolve(), `pause ${index}`).then(() => accounts.advanceClock(pause))
          await scheduler.waitIdle()
          await Promise.all(done)

          const names = await Promise.all(users.map(async (user) => (await accounts.findUsername(user))?.toLowerCase()))
          expect(new Set(names).size).toBe(users.length)
          for (const [index, name] of names.entries()) expect(await accounts.findHolder(name ?? '')).toBe(users[index])
          // Half a minute later every name that no user has is free.
          accounts.advanceClock(30_000)
          for (const username of new Set(usernames.map((name) => name.toLowerCase())))
            if (!names.includes(username)) await accounts.register(username)
        },
      ),
      { numRuns: 400 },
    )
  })
})
