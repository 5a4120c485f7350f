import { expect, it } from 'vitest'
import { createCookieKeys } from '#http/cookie-keys.ts'

const keys = createCookieKeys('a secret of at least thirty-two letters')
const data = 'everchart.sid=v0'
/** Signed by the package keygrip, as earlier versions did. */
const signature = 'JSEAqOTyC4I4CBbkb-Hnie3Ao2mmsREaqOCywX09NNk'

it('signs as earlier versions did, so that their sessions go on', () => {
  expect(keys.sign(data)).toBe(signature)
  expect(keys.index(data, signature)).toBe(0)
})

it.each([
  ['other data', 'everchart.sid=v1', signature],
  ['another signature', data, `K${signature.slice(1)}`],
  ['a part of it', data, signature.slice(0, -1)],
  ['a longer one', data, `${signature}=`],
  ['none', data, ''],
])('refuses %s', (_, signed, given) => {
  expect([keys.verify(signed, given), keys.index(signed, given)]).toEqual([false, -1])
})

it('refuses the signature of another secret', () => {
  expect(createCookieKeys('another secret of at least thirty-two letters').verify(data, signature)).toBe(false)
})
