import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadContracts } from '#http/api-docs/contracts.ts'
import { arbitraryRequests } from '#tests/stress/fuzz/requests.ts'
import { arbitraryFromContract } from '#tests/stress/fuzz/values.ts'
import { itLong } from '#tests/support/long.ts'

const { endpoints } = await loadContracts()
const parts = endpoints.flatMap(({ name, value: { body, query } }) => [
  ...(body ? [[name, 'body', body] as const] : []),
  ...(query ? [[name, 'query', query] as const] : []),
])
const someId = '3f8f1d0e-52a4-4c8b-9a57-2d1f5c0e7b11'

describe('the requests of the fuzzer', () => {
  // Mutations of values that are never valid would only test the first check.
  it.each(parts)('to %s often have a valid %s', (_name, _part, schema) => {
    const samples = fc.sample(arbitraryFromContract(schema), { numRuns: 200, seed: 1 })
    const filled = samples.map((sample) => JSON.parse(JSON.stringify(sample).replaceAll(/\{\{\w+\.\w+\}\}/g, someId)))
    expect(filled.filter((sample) => schema.safeParse(sample).success).length).toBeGreaterThan(20)
  })

  itLong('are the same for the same seed, and reach every endpoint', () => {
    const requests = arbitraryRequests(endpoints.map(({ value }) => value))
    const sample = (seed: number) => fc.sample(requests, { numRuns: 20 * endpoints.length, seed })
    expect(sample(7)).toEqual(sample(7))
    expect(sample(7)).not.toEqual(sample(8))
    const methods = new Set(sample(7).map(({ method, target }) => `${method} ${target.split(/[?{]/)[0]}`))
    for (const { value } of endpoints)
      expect([...methods].some((sent) => sent.startsWith(`${value.method} ${value.path.split(':')[0]}`))).toBe(true)
  })
})
