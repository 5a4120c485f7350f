import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UserId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { createCommandBus } from '#eventstore/command-bus.ts'
import { CommandRejected, RetriesExhausted } from '#eventstore/command-errors.ts'
import { type EventStore, StoreUnavailable } from '#eventstore/event-store.ts'
import { type RegisteredUser, userDecider } from '#modules/accounts/decider.ts'
import { emailDecider, usernameDecider } from '#modules/accounts/names/decider.ts'
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

const person = (email: string, username: string): RegisteredUser => ({
  userId: UserId.parse(randomUUID()),
  email,
  username,
  firstName: 'Ada',
  lastName: 'Okafor',
  role: 'staff',
  newsletterOptIn: false,
  addressHash: 'hash',
})

/** A world of one store and one clock, in which people register in ways of their own. */
function world() {
  const store = createMemoryStore()
  let now = Date.parse('2026-11-20T08:00:00.000Z')
  const clock = () => new Date(now)
  const partsOver = (over: EventStore) => ({
    bus: createCommandBus({ store: over, clock, waitUntilCaughtUp: async () => undefined }),
    clock,
    keyedHash,
  })
  const { bus } = partsOver(store)
  const ids = createNameHasher({ keyedHash })
  return {
    store,
    pass(milliseconds: number) {
      now += milliseconds
    },
    register: (user: RegisteredUser, over: EventStore = store) =>
      registerUser(partsOver(over), user, async () => undefined, context),
    isRegistered: async ({ userId }: RegisteredUser) =>
      (await bus.load(userDecider, userId)).state.status === 'registered',
    holderOfEmail: async (email: string) => (await bus.load(emailDecider, ids.email(email))).state?.userId ?? null,
    holderOfUsername: async (name: string) =>
      (await bus.load(usernameDecider, ids.username(name))).state?.userId ?? null,
  }
}

const codeOf = (error: unknown) => {
  if (error instanceof CommandRejected) return error.rejection.rejected
  if (error instanceof RetriesExhausted) return 'busy'
  throw error
}

describe('registering', () => {
  it('takes an address and a name', async () => {
    const w = world()
    const ada = person('Ada@example.test', 'ada')
    await w.register(ada)
    expect(await w.isRegistered(ada)).toBe(true)
    await expect(w.register(person('ada@EXAMPLE.test', 'other')).catch(codeOf)).resolves.toBe('email-taken')
    await expect(w.register(person('other@example.test', 'ADA')).catch(codeOf)).resolves.toBe('username-taken')
  })

  it('gives the address back when the name was taken', async () => {
    const w = world()
    await w.register(person('ada@example.test', 'ada'))
    await expect(w.register(person('ben@example.test', 'ada')).catch(codeOf)).resolves.toBe('username-taken')
    expect(await w.holderOfEmail('ben@example.test')).toBeNull()
    await w.register(person('ben@example.test', 'ben'))
  })

  it('gives both back when the password could not be kept', async () => {
    const w = world()
    const parts = {
      bus: createCommandBus({ store: w.store, clock: () => new Date(), waitUntilCaughtUp: async () => undefined }),
      clock: () => new Date(),
      keyedHash,
    }
    const broken = async () => {
      throw new Error('no disk')
    }
    await expect(registerUser(parts, person('ada@example.test', 'ada'), broken, context)).rejects.toThrow('no disk')
    expect(await w.holderOfEmail('ada@example.test')).toBeNull()
    expect(await w.holderOfUsername('ada')).toBeNull()
  })

  it('keeps the names of a registration with an unknown outcome', async () => {
    const w = world()
    const ada = person('ada@example.test', 'ada')
    const losing: EventStore = {
      ...w.store,
      async append(stream, expected, events) {
        const done = await w.store.append(stream, expected, events)
        if (stream.startsWith('user-')) throw new StoreUnavailable('the answer was lost')
        return done
      },
    }
    await expect(w.register(ada, losing)).rejects.toThrow(StoreUnavailable)
    expect(await w.isRegistered(ada)).toBe(true)
    expect(await w.holderOfEmail('ada@example.test')).toBe(ada.userId)
    w.pass(3_600_000)
    await expect(w.register(person('ada@example.test', 'ben')).catch(codeOf)).resolves.toBe('email-taken')
  })

  it('frees the names of an abandoned registration after half a minute, and not before', async () => {
    const w = world()
    const crashed = person('ada@example.test', 'ada')
    await expect(w.register(crashed, crashingAfter(w.store, 2))).rejects.toThrow('crashed')
    expect(await w.holderOfUsername('ada')).toBe(crashed.userId)
    w.pass(29_999)
    await expect(w.register(person('ada@example.test', 'ada')).catch(codeOf)).resolves.toBe('email-taken')
    w.pass(1)
    const next = person('ada@example.test', 'ada')
    await w.register(next)
    expect(await w.holderOfEmail('ada@example.test')).toBe(next.userId)
    expect(await w.holderOfUsername('ada')).toBe(next.userId)
    expect(await w.isRegistered(crashed)).toBe(false)
  })

  it('does not let a first attempt come back that was only slow', async () => {
    const w = world()
    const slow = person('ada@example.test', 'ada')
    const quick = person('ada@example.test', 'quick')
    const waiting = Promise.withResolvers<void>()
    const paused: EventStore = {
      ...w.store,
      async append(stream, expected, events) {
        if (stream.startsWith('user-')) await waiting.promise
        return w.store.append(stream, expected, events)
      },
    }
    const first = w.register(slow, paused).catch(codeOf)
    await expect.poll(() => w.holderOfUsername('ada')).toBe(slow.userId)
    w.pass(31_000)
    await w.register(quick)
    waiting.resolve()
    expect(await first).toBe('registration-abandoned')
    expect(await w.isRegistered(slow)).toBe(false)
    expect(await w.isRegistered(quick)).toBe(true)
    // What it still held is free again.
    expect(await w.holderOfUsername('ada')).toBeNull()
  })
})

const without = (all: readonly string[], some: readonly string[]) => new Set(all.filter((one) => !some.includes(one)))

const emails = ['ada@example.test', 'ADA@example.test', 'ben@example.test']
const usernames = ['ada', 'Ada', 'ben']
const appointment = fc.record({
  email: fc.constantFrom(...emails),
  username: fc.constantFrom(...usernames),
  /** Dies after so many writes; never for a large number. */
  dies: fc.constantFrom(0, 1, 2, 3, 9, 9, 9, 9),
})

describe('concurrent registrations, in any order of their steps and with any crash', () => {
  it('never share a name, keep their names, and leave all others free', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(appointment, { minLength: 2, maxLength: 4 }),
        fc.array(fc.constantFrom(1_000, 31_000), { maxLength: 3 }),
        async (s, appointments, pauses) => {
          const w = world()
          const people = appointments.map(({ email, username }) => person(email, username))
          const done = people.map((user, index) => {
            const own = crashingAfter(scheduled(w.store, s, `person ${index}`), appointments[index]?.dies ?? 9)
            return w.register(user, own).then(
              () => 'registered',
              (error: Error) => (error.message === 'crashed' ? 'crashed' : codeOf(error)),
            )
          })
          for (const [index, pause] of pauses.entries())
            void s.schedule(Promise.resolve(), `pause ${index}`).then(() => w.pass(pause))
          await s.waitIdle()
          const outcomes = await Promise.all(done)

          const registered = []
          for (const [index, user] of people.entries()) {
            const really = await w.isRegistered(user)
            if (outcomes[index] === 'registered') expect(really).toBe(true)
            else expect(really).toBe(false)
            if (really) registered.push(user)
          }
          const lower = (texts: string[]) => texts.map((text) => text.toLowerCase())
          const taken = lower(registered.map(({ email }) => email))
          const named = lower(registered.map(({ username }) => username))
          expect(taken).toEqual([...new Set(taken)])
          expect(named).toEqual([...new Set(named)])
          for (const { userId, email, username } of registered) {
            expect(await w.holderOfEmail(email)).toBe(userId)
            expect(await w.holderOfUsername(username)).toBe(userId)
          }
          // Half a minute later every name that no user has is free.
          w.pass(30_000)
          for (const email of without(lower(emails), taken)) await w.register(person(email, `free-${randomUUID()}`))
          for (const username of without(lower(usernames), named))
            await w.register(person(`${randomUUID()}@example.test`, username))
        },
      ),
      { numRuns: 400 },
    )
  })

  it('one of any number wins one address', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 6 }), async (s, count) => {
        const w = world()
        const outcomes = Array.from({ length: count }, (_, index) =>
          w
            .register(person(emails[index % 2] ?? '', `name-${index}`), scheduled(w.store, s, `person ${index}`))
            .then(() => 'registered', codeOf),
        )
        await s.waitIdle()
        expect((await Promise.all(outcomes)).toSorted()).toEqual([
          ...Array.from({ length: count - 1 }, () => 'email-taken'),
          'registered',
        ])
      }),
      { numRuns: 200 },
    )
  })
})
