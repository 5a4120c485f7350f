import { describe, expect, it } from 'vitest'
import { findChangedFields, findFieldConflicts } from '#web/forms/use-conflict-form.ts'

const base = { name: 'Harbor', phone: '1', email: 'a@x.test' }
const at = '2026-11-20T08:00:00.000Z'

describe('what others changed while a form was open', () => {
  it('is named by the server, and only what differs is shown', () => {
    const latest = { ...base, name: 'Harbour', phone: '2' }
    const named = [
      { field: 'phone', value: '2', by: 'Ada Okafor', at: '2026-11-19T08:00:00.000Z' },
      { field: 'taxId', value: '9', by: 'Ada Okafor', at },
      { field: 'name', value: 'Harbour', by: null, at },
    ]
    expect(findFieldConflicts(named, { base, latest, typed: { ...base, name: 'Mine' }, at })).toEqual([
      { field: 'phone', before: '1', theirs: '2', by: 'Ada Okafor', at: '2026-11-19T08:00:00.000Z', contested: false },
      { field: 'name', before: 'Harbor', theirs: 'Harbour', by: null, at, contested: true },
    ])
  })

  it('is found by comparing where the server does not name it', () => {
    const latest = { ...base, email: 'b@x.test' }
    expect(findFieldConflicts(undefined, { base, latest, typed: { ...base, email: 'b@x.test' }, at })).toEqual([
      { field: 'email', before: 'a@x.test', theirs: 'b@x.test', by: null, at, contested: false },
    ])
    expect(findFieldConflicts(undefined, { base, latest: base, typed: { ...base, name: 'Mine' }, at })).toEqual([])
  })

  it('is the fields that are not the same', () => {
    expect(findChangedFields(base, base)).toEqual([])
    expect(findChangedFields(base, { ...base, phone: '', name: 'x' })).toEqual(['name', 'phone'])
  })
})
