import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { selectSignInLimits } from '#modules/accounts/attempts.ts'
import { addAccount, formatDevice, type KnownDevice, parseDevice } from '#modules/accounts/sessions/known-device.ts'

const word = fc.stringMatching(/^[0-9a-f]{1,8}$/)

describe('a known device', () => {
  it('keeps the twenty accounts that signed in last, the newest first', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.array(word, { minLength: 1, maxLength: 60 }), (id, signedIn) => {
        const device = signedIn.reduce<KnownDevice>(addAccount, { id, accounts: [] })
        const expected = [...new Set(signedIn.toReversed())].slice(0, 20)
        expect(device).toEqual({ id, accounts: expected })
        expect(parseDevice(formatDevice(device))).toEqual(device)
      }),
    )
  })

  it('is unknown without a cookie', () => {
    expect([parseDevice(undefined), parseDevice('')]).toEqual([null, null])
  })
})

describe('the limits of a sign-in', () => {
  const keys = (at: Parameters<typeof selectSignInLimits>[0]) =>
    selectSignInLimits(at).map(({ limit, value }) => `${limit.purpose}: ${value}`)

  it('of a known device are shared with no other device, network or account', () => {
    fc.assert(
      fc.property(fc.tuple(word, word, word), fc.tuple(word, word, word, fc.boolean()), (own, other) => {
        const [account, network, knownDeviceId] = own
        const [otherAccount, otherNetwork, otherDevice, isKnown] = other
        fc.pre(knownDeviceId !== otherDevice)
        const others = { account: otherAccount, network: otherNetwork, knownDeviceId: isKnown ? otherDevice : null }
        const ours = keys({ account, network, knownDeviceId })
        expect(ours).toHaveLength(1)
        expect(keys(others)).not.toEqual(expect.arrayContaining(ours))
      }),
    )
  })

  it('of an unknown device begin with one that only the same account in the same network shares', () => {
    fc.assert(
      fc.property(fc.tuple(word, word), fc.tuple(word, word), ([account, network], [otherAccount, otherNetwork]) => {
        fc.pre(account !== otherAccount || network !== otherNetwork)
        const [first] = keys({ account, network, knownDeviceId: null })
        expect(keys({ account: otherAccount, network: otherNetwork, knownDeviceId: null })).not.toContain(first)
      }),
    )
  })

  it('of an account in a network from which it has signed in are not shared with others there', () => {
    const known = keys({ account: 'a', network: 'n', knownDeviceId: null, isKnownNetwork: true })
    expect(known).toEqual(['sign-in account network: n a', 'sign-in account: a'])
    expect(keys({ account: 'b', network: 'n', knownDeviceId: null })).not.toEqual(expect.arrayContaining([known[0]]))
  })

  it('never last longer than fifteen minutes', () => {
    const all = [null, 'device'].flatMap((knownDeviceId) =>
      selectSignInLimits({ account: 'a', network: 'n', knownDeviceId }),
    )
    expect(Math.max(...all.flatMap(({ limit }) => limit.lockMinutes))).toBe(15)
  })
})
