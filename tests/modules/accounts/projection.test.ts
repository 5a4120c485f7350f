import { expect, it } from 'vitest'
import { PracticeId, UserId } from '#contracts/values/ids.ts'
import type { DomainEvent } from '#eventstore/event.ts'
import { users } from '#modules/accounts/projection.ts'
import { applyEvent, type Rows } from '#projections/projection.ts'
import { recordedEvent } from '#tests/support/events.ts'

const userId = UserId.parse('3f8f1d0e-52a4-4c8b-9a57-2d1f5c0e7b11')
const practiceId = PracticeId.parse('0f6f7a52-1b2c-5d3e-8f4a-5b6c7d8e9f00')
const person = {
  email: 'Ada@example.test',
  username: 'ada',
  firstName: 'Ada',
  lastName: 'Okafor',
  role: 'staff',
  newsletterOptIn: true,
}

const registered = { type: 'UserRegistered', data: { userId, ...person, addressHash: 'hash' } }
const setUp = { type: 'PracticeSetUp', data: { practiceId, ownerId: userId, name: 'Harbor Clinic' } }
const completed = {
  type: 'PracticeSetupCompleted',
  data: { practiceId, ownerId: userId, newsletterOptIn: false, selectedPlan: 'starter' },
}

function rowAfter(...events: DomainEvent[]) {
  const rows: Rows = new Map()
  events.forEach((event, revision) => applyEvent(users, rows, recordedEvent(event, { revision })))
  return rows.get(userId)
}

const newcomer = {
  user_id: userId,
  email: 'Ada@example.test',
  username: 'ada',
  first_name: 'Ada',
  last_name: 'Okafor',
  role: 'staff',
  newsletter_opt_in: true,
  must_prove_email: false,
  two_factor: false,
  passkeys: 0,
  practice_id: null,
  is_owner: false,
  joined_at: null,
  suspended_at: null,
  last_day: null,
  ends_at: null,
  subscription_status: 'demo',
  subscription_tier: 'starter',
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
}

it('has a row from the registration on, with names as they were typed', () => {
  expect(rowAfter(registered)).toEqual(newcomer)
})

it('belongs to the practice its owner set up', () => {
  const owner = { ...newcomer, practice_id: practiceId, is_owner: true, joined_at: '2026-11-20T08:00:00.000Z' }
  expect(rowAfter(registered, setUp)).toEqual(owner)
  expect(rowAfter(registered, setUp, completed)).toEqual({ ...owner, newsletter_opt_in: false })
})

it('has no row for an unfinished registration', () => {
  expect(rowAfter({ type: 'RegistrationAbandoned', data: { userId } })).toBeUndefined()
  expect(rowAfter(setUp)).toBeNull()
})

it('does not store the network address of a registration', () => {
  expect(JSON.stringify(rowAfter(registered))).not.toContain('hash')
})

it('has to be confirmed from the request on, until the link is opened or the address is changed', () => {
  const requested = { type: 'EmailProofRequested', data: { userId, proofId: 'x', expiresAt: 'later' } }
  const proved = { type: 'EmailProved', data: { userId, proofId: 'x' } }
  const changed = { type: 'EmailChanged', data: { userId, to: 'new@example.test' } }
  expect(rowAfter(registered, requested)).toEqual({ ...newcomer, must_prove_email: true })
  expect(rowAfter(registered, requested, proved)).toEqual(newcomer)
  expect(rowAfter(registered, requested, changed)).toEqual({ ...newcomer, email: 'new@example.test' })
})

it('shows the names of the changed profile', () => {
  const renamed = {
    type: 'ProfileChanged',
    data: { userId, from: { firstName: 'Ada', username: 'ada' }, to: { firstName: 'Adaeze', username: 'adaeze' } },
  }
  const givenUp = { type: 'UsernameGivenUp', data: { userId, reservedAt: '2026-11-20T08:00:00.000Z' } }
  expect(rowAfter(registered, renamed, givenUp)).toEqual({ ...newcomer, first_name: 'Adaeze', username: 'adaeze' })
})

it('counts the passkeys in force', () => {
  const added = (passkeyId: string) => ({ type: 'PasskeyAdded', data: { userId, passkeyId, name: 'Laptop' } })
  const removed = { type: 'PasskeyRemoved', data: { userId, passkeyId: 'one' } }
  const reset = { type: 'PasskeysReset', data: { userId, passkeyIds: ['one', 'two'], factorId: null, by: userId } }
  const count = (...events: DomainEvent[]) => rowAfter(registered, ...events)?.passkeys
  expect(count(added('one'), added('two'))).toBe(2)
  expect(count(added('one'), removed)).toBe(0)
  expect(count(added('one'), added('two'), added('three'), reset)).toBe(1)
})
