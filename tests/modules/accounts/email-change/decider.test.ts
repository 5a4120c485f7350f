import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UserId } from '#contracts/values/ids.ts'
import { fold, isRejection } from '#eventstore/decider.ts'
import { type RegisteredUser, type UserCommand, userDecider } from '#modules/accounts/decider.ts'
import { emailDecider, type NameCommand } from '#modules/accounts/names/decider.ts'
import type { EmailEvent, UserEvent } from '#modules/accounts/events.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import { cases } from '#tests/support/long.ts'

const people = [
  UserId.parse('3f8f1d0e-52a4-4c8b-9a57-2d1f5c0e7b11'),
  UserId.parse('91c2b9a4-6a3c-4f0b-8c43-5b8a0d7f6e22'),
] as const
const [ada] = people
const id = (n: number) => `c6d9a7b2-1f34-4e57-8a90-6c2b1d3e4f${10 + n}`
const [first, second, change, otherChange] = [id(1), id(2), id(3), id(4)]
const at = '2026-11-20T08:00:00.000Z'
const expiresAt = '2026-11-21T08:00:00.000Z'
const addressHash = 'hash'
const person = (userId: UserId, email: string): RegisteredUser => ({
  userId,
  email,
  username: 'name',
  firstName: 'Ada',
  lastName: 'Okafor',
  role: 'staff',
  newsletterOptIn: false,
  addressHash,
})

const registered: UserEvent = { type: 'UserRegistered', data: person(ada, 'ada@example.test') }
const requested = (requestId = first, email = 'new@example.test'): UserEvent => ({
  type: 'EmailChangeRequested',
  data: { userId: ada, requestId, email, addressHash, expiresAt },
})
const changed: UserEvent = {
  type: 'EmailChanged',
  data: {
    userId: ada,
    requestId: first,
    changeId: change,
    from: 'ada@example.test',
    to: 'new@example.test',
    replaces: null,
    addressHash,
  },
}
const request = (requestId = first, email = 'new@example.test'): UserCommand => ({
  type: 'RequestEmailChange',
  requestId,
  email,
  addressHash,
  at,
})
const confirm = (over: Partial<Extract<UserCommand, { type: 'ChangeEmail' }>> = {}): UserCommand => ({
  type: 'ChangeEmail',
  requestId: first,
  changeId: change,
  addressHash,
  at: '2026-11-21T07:59:59.999Z',
  ...over,
})

describe('the address of an account', () => {
  const given = deciderSpec(userDecider)

  it('is changed with a link within a day', () => {
    given(registered).when(request()).then(requested())
    given(registered, requested()).when(confirm()).then(changed)
    given(registered, requested())
      .when(confirm({ at: expiresAt }))
      .thenRefused('link-expired')
  })
  it('is changed from what it is now', () => {
    const data = { userId: ada, requestId: second, changeId: otherChange, addressHash }
    given(registered, requested(), changed).when(request(second, 'new@example.test')).thenRefused('same-email')
    given(registered, requested(), changed, requested(second, 'third@example.test'))
      .when(confirm({ requestId: second, changeId: otherChange }))
      .then({
        type: 'EmailChanged',
        data: { ...data, from: 'new@example.test', to: 'third@example.test', replaces: first },
      })
  })
  it('is changed as soon as it was requested, and requested once', () => {
    given(registered, requested()).when(confirm({ at })).then(changed)
    given(registered, requested()).when(request()).thenNothing()
    given(registered, requested(), changed).when(request()).thenNothing()
  })
  it('is not changed by a link whose clock was ahead', () => {
    given(registered, requested())
      .when(confirm({ at: '2026-11-20T07:59:59.999Z' }))
      .thenRefused('link-expired')
  })
  it('is changed once with each link, and the same confirmation is not made twice', () => {
    given(registered, requested(), changed).when(confirm()).thenNothing()
    given(registered, requested(), changed)
      .when(confirm({ changeId: otherChange }))
      .thenRefused('link-expired')
  })
  it('is changed with the latest link only', () => {
    given(registered, requested(), requested(second, 'other@example.test')).when(confirm()).thenRefused('link-expired')
  })
  it('is not requested as it is already, whatever its case', () => {
    given(registered).when(request(first, 'ADA@example.test')).thenRefused('same-email')
  })
  it('names the request whose reservation becomes free', () => {
    given(registered, requested(), changed, requested(second, 'third@example.test'))
      .when(confirm({ requestId: second, changeId: otherChange }))
      .then({
        type: 'EmailChanged',
        data: {
          userId: ada,
          requestId: second,
          changeId: otherChange,
          from: 'new@example.test',
          to: 'third@example.test',
          replaces: first,
          addressHash,
        },
      })
  })
  it('cannot be confirmed any more once the request was abandoned, and a confirmed one cannot be abandoned', () => {
    const abandon: UserCommand = { type: 'AbandonEmailChange', requestId: first }
    const abandoned: UserEvent = { type: 'EmailChangeAbandoned', data: { userId: ada, requestId: first } }
    given(registered, requested()).when(abandon).then(abandoned)
    given(registered, requested(), abandoned).when(confirm()).thenRefused('link-expired')
    given(registered, requested(), changed).when(abandon).thenNothing()
  })
  it('of no account cannot be changed', () => {
    given().when(request()).thenRefused('not-registered')
    given({ type: 'RegistrationAbandoned', data: { userId: ada } })
      .when(confirm())
      .thenRefused('not-registered')
  })
})

describe('a reserved address', () => {
  const given = deciderSpec(emailDecider)
  const reserved: EmailEvent = { type: 'EmailReserved', data: { userId: ada, reservedAt: at, requestId: first } }

  it('is released by its own request only', () => {
    given(reserved).when({ type: 'Release', userId: ada }).thenNothing()
    given(reserved).when({ type: 'Release', userId: ada, requestId: second }).thenNothing()
    given(reserved)
      .when({ type: 'Release', userId: ada, requestId: first })
      .then({ type: 'EmailReservationReleased', data: { userId: ada } })
  })
  it('is not reserved again for another request, not even of the same user', () => {
    given(reserved).when({ type: 'Reserve', userId: ada, at, requestId: second }).thenRefused('email-taken')
    given(reserved).when({ type: 'Reserve', userId: ada, at, requestId: first }).thenNothing()
  })
})

it('no link changes an address twice, and only the link that was sent last changes it', () => {
  const ids = fc.constantFrom(0, 1, 2, 3)
  const command = fc.record({
    kind: fc.constantFrom('request', 'confirm', 'abandon'),
    request: ids,
    change: fc.constantFrom(4, 5, 6, 7),
    email: fc.constantFrom('a@example.test', 'b@example.test', 'ada@example.test'),
    hours: fc.constantFrom(0, 1, 23, 24, 48),
  })
  fc.assert(
    fc.property(fc.array(command, { maxLength: 30 }), (commands) => {
      const history: UserEvent[] = [registered]
      let clock = Date.parse(at)
      for (const { kind, request: n, change: c, email, hours } of commands) {
        clock += hours * 3_600_000
        const now = new Date(clock).toISOString()
        const requestId = id(n)
        const given: UserCommand =
          kind === 'request'
            ? { type: 'RequestEmailChange', requestId, email, addressHash, at: now }
            : kind === 'confirm'
              ? { type: 'ChangeEmail', requestId, changeId: id(c), addressHash, at: now }
              : { type: 'AbandonEmailChange', requestId }
        const decision = userDecider.decide(given, fold(userDecider, history))
        if (isRejection(decision)) continue
        const latest = history.findLast(({ type }) => type === 'EmailChangeRequested')
        for (const event of decision) {
          if (event.type !== 'EmailChanged') continue
          expect(latest?.data).toMatchObject({ requestId, email: event.data.to })
          expect(now < (latest?.type === 'EmailChangeRequested' ? latest.data.expiresAt : '')).toBe(true)
        }
        history.push(...decision)
      }
      const used = history.flatMap((event) => (event.type === 'EmailChanged' ? [event.data] : []))
      // A request id names one request here although the commands repeat it.
      for (const { requestId } of used)
        expect(used.filter((other) => other.requestId === requestId).length).toBeLessThanOrEqual(
          history.filter((event) => event.type === 'EmailChangeRequested' && event.data.requestId === requestId).length,
        )
      const state = fold(userDecider, history)
      expect(state.status === 'registered' && state.user.email).toBe(used.at(-1)?.to ?? 'ada@example.test')
    }),
    { numRuns: cases(500, 20_000) },
  )
})

/**
 * Confirmations of several users, whose steps run in any order and may end anywhere: reserve the new address, change it, release
 * the former one. An address that an interrupted confirmation or a former change still holds is taken over.
 */
it('two accounts never have one address, in whatever order confirmations run and wherever they end', () => {
  const addresses = ['a@example.test', 'b@example.test', 'c@example.test'] as const
  const step = fc.record({ user: fc.constantFrom(0, 1), attempt: fc.nat(5), target: fc.nat(2) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const users: UserEvent[][] = people.map((userId, n) => [
        { type: 'UserRegistered', data: person(userId, addresses[n] ?? '') },
      ])
      const streams = new Map<string, EmailEvent[]>(
        people.map((userId, n) => [addresses[n] ?? '', [{ type: 'EmailReserved', data: { userId, reservedAt: at } }]]),
      )
      const stateOf = (user: number) => {
        const state = fold(userDecider, users[user] ?? [])
        if (state.status !== 'registered') throw new Error('Everyone is registered')
        return state
      }
      const runEmail = (email: string, command: NameCommand) => {
        const stream = streams.get(email) ?? []
        const decision = emailDecider.decide(command, fold(emailDecider, stream))
        if (!isRejection(decision)) streams.set(email, [...stream, ...decision])
        return !isRejection(decision)
      }
      const runUser = (user: number, command: UserCommand) => {
        const decision = userDecider.decide(command, stateOf(user))
        if (!isRejection(decision)) users[user]?.push(...decision)
        return !isRejection(decision)
      }
      /** Does the same as `endIfUnused` of registration.ts, once the reservation is old. */
      const takeOver = (email: string) => {
        const holder = fold(emailDecider, streams.get(email) ?? [])
        if (!holder) return
        const user = people.findIndex((each) => each === holder.userId)
        const { requestId } = holder
        if (stateOf(user).emailChange?.requestId === requestId) return
        if (requestId !== undefined && stateOf(user).emailRequest?.requestId === requestId) {
          runUser(user, { type: 'AbandonEmailChange', requestId })
          if (stateOf(user).emailChange?.requestId === requestId) return
        }
        runEmail(email, { type: 'Release', userId: holder.userId, requestId })
      }
      type Attempt = { user: number; requestId: string; email: string; next: number }
      const attempts: Attempt[] = []
      let count = 0
      for (const { user, attempt: which, target } of steps) {
        const attempt = attempts[which]
        const userId = people[user] ?? ada
        if (!attempt || attempt.next > 2) {
          const requestId = `c6d9a7b2-1f34-4e57-8a90-6c2b1d3e${String(1000 + count++)}`
          const email = addresses[target] ?? ''
          if (runUser(user, { type: 'RequestEmailChange', requestId, email, addressHash, at }))
            attempts.push({ user, requestId, email, next: 0 })
          continue
        }
        const { requestId, email } = attempt
        const owner = people[attempt.user] ?? userId
        if (attempt.next === 0) {
          if (!runEmail(email, { type: 'Reserve', userId: owner, at, requestId })) takeOver(email)
          else attempt.next = 1
        } else if (attempt.next === 1) {
          const changeId = requestId.replace(/^c6/, 'd6')
          const isChanged = runUser(attempt.user, { type: 'ChangeEmail', requestId, changeId, addressHash, at })
          attempt.next = 2
          if (!isChanged && stateOf(attempt.user).emailChange?.requestId !== requestId)
            runEmail(email, { type: 'Release', userId: owner, requestId })
        } else {
          attempt.next = 3
          const event = users[attempt.user]?.find(
            (each) => each.type === 'EmailChanged' && each.data.requestId === requestId,
          )
          if (event?.type === 'EmailChanged')
            runEmail(event.data.from, {
              type: 'Release',
              userId: owner,
              requestId: event.data.replaces ?? undefined,
            })
        }
        const [one, other] = [stateOf(0), stateOf(1)]
        expect(one.user.email).not.toBe(other.user.email)
        for (const [n, state] of [one, other].entries())
          expect(fold(emailDecider, streams.get(state.user.email) ?? [])?.userId).toBe(people[n])
      }
    }),
    { numRuns: cases(2_000, 50_000) },
  )
})
