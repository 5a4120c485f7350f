import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findChangedFields, type FormFields, mergeValues, replaceField } from '#web/forms/three-way-merge.ts'

type Values = { name: string; date: string; time: string; notes: string }
type Field = 'name' | 'moment' | 'notes'

const fields: FormFields<Values, Field> = {
  inputs: { name: ['name'], moment: ['date', 'time'], notes: ['notes'] },
  normalize: (values) => ({ ...values, notes: values.notes.trim() }),
}
const allFields = Object.keys(fields.inputs) as Field[]

// Few different texts, so that both sides often change a field, and often to the same text.
const text = fc.constantFrom('', ' ', 'a', 'b', 'c')
const values: fc.Arbitrary<Values> = fc.record({ name: text, date: text, time: text, notes: text })
const sides = fc.record({ base: values, latest: values, typed: values })

const pickInputs = (of: Values, field: Field) => fields.inputs[field].map((input) => of[input])

describe('a three-way merge', () => {
  it('takes a field that one side changed from that side', () => {
    fc.assert(
      fc.property(sides, ({ base, latest, typed }) => {
        const merge = mergeValues(fields, { base, latest, typed })
        const mine = findChangedFields(fields, base, typed)
        const theirs = findChangedFields(fields, base, latest)
        for (const field of allFields) {
          if (mine.includes(field) && !theirs.includes(field))
            expect(pickInputs(merge.values, field)).toEqual(pickInputs(typed, field))
          if (!mine.includes(field)) expect(pickInputs(merge.values, field)).toEqual(pickInputs(latest, field))
        }
        expect(merge.changedByOthers).toEqual(theirs)
      }),
    )
  })

  it('contests exactly the fields that both sides changed to different values', () => {
    fc.assert(
      fc.property(sides, ({ base, latest, typed }) => {
        const merge = mergeValues(fields, { base, latest, typed })
        for (const field of allFields) {
          const isContested = [
            findChangedFields(fields, base, typed),
            findChangedFields(fields, base, latest),
            findChangedFields(fields, latest, typed),
          ].every((changed) => changed.includes(field))
          expect(merge.contested.includes(field)).toBe(isContested)
        }
      }),
    )
  })

  it('never loses typed text', () => {
    fc.assert(
      fc.property(sides, ({ base, latest, typed }) => {
        const merge = mergeValues(fields, { base, latest, typed })
        for (const field of findChangedFields(fields, base, typed))
          expect(pickInputs(merge.values, field)).toEqual(pickInputs(typed, field))
      }),
    )
  })

  it('changes nothing without changes by others', () => {
    fc.assert(
      fc.property(values, values, (base, typed) => {
        const merge = mergeValues(fields, { base, latest: base, typed })
        expect(merge).toMatchObject({ changedByOthers: [], contested: [] })
        expect(findChangedFields(fields, merge.values, typed)).toEqual([])
      }),
    )
  })

  it('treats several inputs of a field as one value', () => {
    const base = { name: 'A', date: '2026-11-20', time: '09:00', notes: '' }
    const latest = { ...base, time: '10:00' }
    const typed = { ...base, date: '2026-11-21' }
    const merge = mergeValues(fields, { base, latest, typed })
    expect(merge.contested).toEqual(['moment'])
    expect(merge.values).toMatchObject({ date: '2026-11-21', time: '09:00' })
    expect(replaceField(fields, merge.values, 'moment', latest)).toMatchObject({ date: '2026-11-20', time: '10:00' })
  })

  it('ignores differences that are not saved', () => {
    const base = { name: 'A', date: '', time: '', notes: 'x' }
    expect(findChangedFields(fields, base, { ...base, notes: ' x ' })).toEqual([])
  })
})
