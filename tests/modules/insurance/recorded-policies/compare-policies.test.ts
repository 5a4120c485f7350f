import { expect, it } from 'vitest'
import { comparePolicies } from '#modules/insurance/recorded-policies/compare-policies.ts'

const verified = { insuranceProvider: 'Summit Mutual', policyNumber: 'SM-7741-0093' }
const recorded = (policyNumber: string | null, provider = 'Summit Mutual') => ({ provider, policyNumber })

it.each(['SM-7741-0093', 'sm 7741 0093', ' SM77410093 ', 'ＳＭ７７４１００９３'])(
  'finds %j the same policy',
  (number) => {
    expect(comparePolicies(recorded(number), verified)).toBe('same')
  },
)

it('tells policies apart by their number, whatever the insurer is called', () => {
  expect(comparePolicies(recorded('SM-7741-0094'), verified)).toBe('other')
  expect(comparePolicies(recorded('SM-7741-0093', 'Summit Mutual of Ohio'), verified)).toBe('same')
  expect(comparePolicies(recorded('0'), { ...verified, policyNumber: '00' })).toBe('other')
})

it.each([null, '', '--'])('compares the insurer where the record has the number %j', (number) => {
  expect(comparePolicies(recorded(number, 'SUMMIT MUTUAL'), verified)).toBe('same')
  expect(comparePolicies(recorded(number, 'Beacon Health'), verified)).toBe('other')
})

it('finds no policy in a record without insurance', () => {
  expect(comparePolicies(null, verified)).toBe('none')
})
