import { describe, expect, it } from 'vitest'
import { findFieldConflicts } from '#web/forms/field-conflicts.ts'
import { describeTextRecord, pickChangedTexts, type TextValues } from '#web/forms/text-form.ts'
import { mergeValues } from '#web/forms/three-way-merge.ts'

const base: TextValues = { name: 'Harbor', phone: '1', email: 'a@x.test' }
const at = '2026-11-20T08:00:00.000Z'

function findConflicts(named: unknown, latest: TextValues, typed: TextValues) {
  const record = describeTextRecord(base, (values: TextValues) => values)
  return findFieldConflicts({
    named,
    merge: mergeValues(record.fields, { base, latest, typed }),
    formatBefore: (field) => record.format(base, field),
    formatTheirs: (field) => record.format(latest, field),
    at,
  })
}

describe('the changes that others made while a form was open', () => {
  it('are named by the server, and only those that make a difference are shown', () => {
    const latest = { ...base, name: 'Harbour', phone: '2' }
    const named = [
      { field: 'phone', value: '2', by: 'Ada Okafor', at: '2026-11-19T08:00:00.000Z' },
      { field: 'taxId', value: '9', by: 'Ada Okafor', at },
      { field: 'name', value: 'Harbour', by: null, at },
    ]
    expect(findConflicts(named, latest, { ...base, name: 'Mine' })).toEqual([
      {
        field: 'phone',
        before: '1',
        theirs: '2',
        by: 'Ada Okafor',
        at: '2026-11-19T08:00:00.000Z',
        isContested: false,
      },
      { field: 'name', before: 'Harbor', theirs: 'Harbour', by: null, at, isContested: true },
    ])
  })

  it('include a contested field that the server does not name, because it was changed after the refusal', () => {
    const latest = { ...base, name: 'Harbour', phone: '2' }
    const named = [{ field: 'name', value: 'Harbour', by: 'Ada Okafor', at }]
    expect(findConflicts(named, latest, { ...base, phone: '3' })).toMatchObject([
      { field: 'name', by: 'Ada Okafor', isContested: false },
      { field: 'phone', theirs: '2', by: null, at, isContested: true },
    ])
  })

  it('are found by comparison where the server does not name them', () => {
    const latest = { ...base, email: 'b@x.test' }
    expect(findConflicts(undefined, latest, { ...base, email: 'b@x.test' })).toEqual([
      { field: 'email', before: 'a@x.test', theirs: 'b@x.test', by: null, at, isContested: false },
    ])
    expect(findConflicts(undefined, base, { ...base, name: 'Mine' })).toEqual([])
  })
})

describe('the change of a form of plain texts', () => {
  it('contains the texts that differ', () => {
    expect(pickChangedTexts(base, base)).toEqual({})
    expect(pickChangedTexts(base, { ...base, phone: '', name: 'x' })).toEqual({ name: 'x', phone: '' })
  })
})
