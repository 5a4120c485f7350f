import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Answers } from '#contracts/values/forms.ts'
import {
  type ComparedChart,
  findChartLines,
  hasLine,
  readMedication,
  splitList,
  toChange,
} from '#modules/forms/chart/chart-lines.ts'
import { formatNationalPhone, readPhone } from '#modules/patients/phone.ts'

const emptyChart: ComparedChart = {
  phone: null,
  phoneNational: null,
  address: null,
  allergies: [],
  allergiesStatus: 'unknown',
  medications: [],
}
const readNumber = (typed: string) => {
  const reading = readPhone(typed)
  return reading.status === 'number' ? { stored: reading.stored, national: formatNationalPhone(reading.stored) } : null
}
const find = (answers: Answers, chart: Partial<ComparedChart> = {}, formType: 'intake' | 'consent' = 'intake') =>
  findChartLines(formType, answers, { ...emptyChart, ...chart }, readNumber)
const shown = (answers: Answers, chart: Partial<ComparedChart> = {}) =>
  find(answers, chart).map(({ field, current, proposed }) => [field, current, proposed])

describe('the lines of a form', () => {
  it('are those that differ from the chart', () => {
    const answers = {
      phone: '(617) 555-0123',
      address: '12 Harbor Street',
      'has-allergies': true,
      allergies: 'Penicillin, peanuts',
      medicines: 'Metformin 500 mg twice a day\nLisinopril',
    }
    expect(shown(answers)).toEqual([
      ['medications', null, 'Metformin 500 mg twice a day'],
      ['medications', null, 'Lisinopril'],
      ['allergies', null, 'Penicillin'],
      ['allergies', null, 'peanuts'],
      ['phone', null, '(617) 555-0123'],
      ['address', null, '12 Harbor Street'],
    ])
    const chart = {
      phone: '+16175550123',
      phoneNational: '(617) 555-0123',
      address: '12  harbor street',
      allergies: ['PENICILLIN'],
      allergiesStatus: 'listed' as const,
      medications: [{ name: 'metformin', dosage: '250 mg', frequency: null }],
    }
    expect(shown(answers, chart)).toEqual([
      ['medications', 'metformin', 'Lisinopril'],
      ['allergies', 'PENICILLIN', 'peanuts'],
    ])
  })

  it('are none for other forms, and for what is no phone number', () => {
    expect(find({ phone: '(617) 555-0123', allergies: 'Latex' }, {}, 'consent')).toEqual([])
    expect(find({ phone: 'my daughter has it' })).toEqual([])
  })

  it('never take away what the chart lists', () => {
    const listed = { allergies: ['Latex'], allergiesStatus: 'listed' as const }
    expect(find({ 'has-allergies': false }, listed)).toEqual([])
    expect(find({ allergies: 'none' }, listed)).toEqual([])
    expect(shown({ 'has-allergies': false })).toEqual([['allergies', null, 'No known allergies']])
    expect(shown({ allergies: 'None.' })).toEqual([['allergies', null, 'No known allergies']])
    expect(find({ 'has-allergies': false }, { allergiesStatus: 'none-known' })).toEqual([])
    expect(find({})).toEqual([])
  })

  it.each([
    ['Penicillin and latex', ['Penicillin', 'latex']],
    ['- Aspirin\n- aspirin\n• Ibuprofen.', ['Aspirin', 'Ibuprofen']],
    ['none', []],
    ['Insulin 1,5 units; nothing', ['Insulin 1,5 units']],
    ['', []],
  ])('are read from "%s"', (text, expected) => {
    expect(splitList(text)).toEqual(expected)
  })

  it.each([
    ['Metformin 500 mg twice a day', { name: 'Metformin', dosage: '500 mg', frequency: 'twice a day' }],
    ['Lisinopril (10mg), daily', { name: 'Lisinopril', dosage: '10mg', frequency: 'daily' }],
    ['Vitamin D', { name: 'Vitamin D', dosage: null, frequency: null }],
    ['500 mg something', { name: '500 mg something', dosage: null, frequency: null }],
  ])('are medications such as "%s"', (text, expected) => {
    expect(readMedication(text)).toEqual(expected)
  })

  it('are gone once all of them were taken over, whatever was written', () => {
    const text = fc
      .array(fc.oneof(fc.constantFrom('Penicillin', 'none', 'Metformin 5 mg', 'and', ',', ';', '\n', '-'), fc.string()))
      .map((words) => words.join(' ').slice(0, 400))
    const form = fc.record(
      { allergies: text, medicines: text, 'has-allergies': fc.boolean(), address: text, phone: text },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(form, (answers) => {
        let chart = emptyChart
        for (let count = 0; count < 600; count++) {
          const [line] = findChartLines('intake', answers, chart, readNumber)
          if (!line) break
          expect(hasLine(line, chart, readNumber)).toBe(false)
          const { phone, ...change } = toChange(line, chart)
          const number = phone ? readNumber(phone) : null
          chart = {
            ...chart,
            ...(change as Partial<ComparedChart>),
            ...(number ? { phone: number.stored, phoneNational: number.national } : {}),
          }
          expect(hasLine(line, chart, readNumber)).toBe(true)
        }
        expect(findChartLines('intake', answers, chart, readNumber)).toEqual([])
      }),
    )
  })
})
