import { describe, expect, it } from 'vitest'
import { UserId } from '#contracts/values/ids.ts'
import type { PasskeyEvent, PasswordEvent, TwoFactorEvent, UserEvent } from '#modules/accounts/events.ts'
import { accounts } from '#modules/accounts/module.ts'
import { followAccounts, followPasswords } from '#modules/accounts/process-manager.ts'
import { type AnyProcessManager, getJobRequests } from '#process-managers/process-manager.ts'
import { recordedEvent } from '#tests/support/events.ts'

const userId = UserId.parse('3f8f1d0e-52a4-4c8b-9a57-2d1f5c0e7b11')
const otherUserId = UserId.parse('b5d8f6a1-0e23-4d46-9f7f-5b1a0c2d3e44')
const resetId = 'c6d9a7b2-1f34-4e57-8a90-6c2b1d3e4f55'
const changeId = 'd7e0b8c3-2045-4f68-9ba1-7d3c2e4f5066'
const sessionId = '0a13ebf6-5378-429b-8ed4-a06f51728399'
const expiresAt = '2026-11-20T08:30:00.000Z'
const at = '2026-11-20T08:00:00.000Z'

/** Returns the requested jobs, whose data the jobs of the module accept. */
function requests(
  event: PasswordEvent | UserEvent | TwoFactorEvent | PasskeyEvent,
  manager: AnyProcessManager = followPasswords,
) {
  const recorded = recordedEvent(event, {})
  const found = getJobRequests(manager, recorded)
  for (const { job, data } of found)
    expect(accounts.jobs?.find(({ name }) => name === job)?.data.parse(data)).toEqual(data)
  return found
}
const request = (id: UserId | null): PasswordEvent => ({
  type: 'PasswordResetRequested',
  data: { resetId, userId: id, addressHash: 'hash', expiresAt },
})

describe('a password', () => {
  it('that was forgotten leads to a message, unless no account has the address', () => {
    expect(requests(request(userId))).toEqual([{ job: 'send-password-reset', data: { userId, resetId, expiresAt } }])
    expect(requests(request(null))).toEqual([])
  })

  it.each([
    [{ type: 'PasswordReset', data: { userId, changeId, addressHash: 'hash' } }, null],
    [{ type: 'PasswordChanged', data: { userId, changeId, sessionId, addressHash: 'hash' } }, sessionId],
  ] as const)('that changed leads to a notice, and is finished later if it was interrupted: $0.type', (event, kept) => {
    expect(requests(event)).toMatchObject([
      { job: 'send-password-notice', data: { userId, at } },
      {
        job: 'finish-password-change',
        data: { userId, changeId, keptSessionId: kept },
        startAfter: expect.any(String),
      },
    ])
  })

  it('that was refused leads to nothing', () => {
    expect(requests({ type: 'PasswordRefused', data: { userId, addressHash: 'hash' } })).toEqual([])
  })
})

describe('an address', () => {
  const requestId = resetId

  it('that was requested leads to a link, and to a notice for the former one', () => {
    const data = { userId, requestId, email: 'new@example.test', addressHash: 'hash', expiresAt }
    expect(requests({ type: 'EmailChangeRequested', data }, followAccounts)).toEqual([
      { job: 'send-email-confirmation', data: { userId, requestId } },
      { job: 'send-email-request-notice', data: { userId, requestId } },
    ])
  })

  it('that changed leads to a notice, and is finished later if it was interrupted', () => {
    const [from, to] = ['ada@example.test', 'new@example.test']
    const data = { userId, requestId, changeId, from, to, replaces: null, addressHash: 'hash' }
    expect(requests({ type: 'EmailChanged', data }, followAccounts)).toMatchObject([
      { job: 'send-email-change-notice', data: { userId, requestId } },
      { job: 'finish-email-change', data: { userId, requestId }, startAfter: expect.any(String) },
    ])
  })
})

it('a second factor that was reset leads to a notice', () => {
  const data = { userId, factorId: resetId, by: userId }
  expect(requests({ type: 'TwoFactorReset', data }, followAccounts)).toEqual([
    { job: 'send-two-factor-notice', data: { userId, at } },
  ])
})

it('sends a notice of a passkey that was added', () => {
  const data = { userId, passkeyId: resetId, name: 'Laptop' }
  expect(requests({ type: 'PasskeyAdded', data }, followAccounts)).toEqual([
    { job: 'send-passkey-notice', data: { userId, passkeyId: resetId, at } },
  ])
})

it('sends one notice of a reset, with or without an authenticator app', () => {
  const reset = (factorId: string | null, by = otherUserId): PasskeyEvent => ({
    type: 'PasskeysReset',
    data: { userId, passkeyIds: [resetId], factorId, by },
  })
  expect(requests(reset(null), followAccounts)).toEqual([{ job: 'send-two-factor-notice', data: { userId, at } }])
  expect(requests(reset(changeId), followAccounts)).toEqual([])
  // By the user's own new password, whose notice says so.
  expect(requests(reset(null, userId), followAccounts)).toEqual([])
})
