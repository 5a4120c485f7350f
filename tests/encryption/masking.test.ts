import { expect, it } from 'vitest'
import { z } from 'zod'
import { event, phi } from '#eventstore/event.ts'
import { maskPhi } from '#encryption/masking.ts'

const Named = event('Named', {
  id: z.uuid(),
  name: phi(z.string()),
  to: z.strictObject({ phone: phi(z.string().nullable()), room: z.number() }).partial(),
  list: z.array(z.strictObject({ row: z.number(), reasons: phi(z.array(z.string())) })),
  note: z.string().nullable(),
})
const id = '6f0f3c3e-6f3d-4f6e-9b0a-0d1f0c9a1b2c'
const data = { id, name: 'Ada', to: { phone: null, room: 4 }, list: [{ row: 2, reasons: ['Ada'] }], note: null }

it('hides PHI at any depth and nothing else', () => {
  expect(maskPhi(Named.shape.data, data)).toEqual({
    id,
    name: '[hidden]',
    to: { phone: '[hidden]', room: 4 },
    list: [{ row: 2, reasons: '[hidden]' }],
    note: null,
  })
})

it('hides undeclared fields and events', () => {
  expect(maskPhi(Named.shape.data, { id, nickname: 'Ada' })).toEqual({ id, nickname: '[hidden]' })
  expect(maskPhi(undefined, data)).toBe('[hidden]')
})
