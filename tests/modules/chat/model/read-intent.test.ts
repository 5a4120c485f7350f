import { describe, expect, it } from 'vitest'
import { defaultDuration, maxDuration } from '#contracts/values/appointments.ts'
import { type ModelIntent, readIntent, toInstructions } from '#modules/chat/model/read-intent.ts'

const today = '2026-11-26'
const question = { text: '', people: ['Maria Alvarez', 'Silva'], providers: [['chen', 'junior']] }
const nothing: ModelIntent = {
  kind: 'unknown',
  from: null,
  until: null,
  filter: null,
  which: null,
  figure: null,
  durationMinutes: null,
  earliestTime: null,
  latestTime: null,
  person: null,
  provider: null,
}
const read = (reply: Partial<ModelIntent>) => readIntent({ ...nothing, ...reply }, question, today)
const all = { kind: 'all' }

describe('the reply of a model', () => {
  it.each<[reply: Partial<ModelIntent>, intent: object]>([
    [
      { kind: 'schedule', from: '2026-11-27', filter: 'no-show', provider: 'Provider 1' },
      {
        kind: 'schedule',
        period: { from: '2026-11-27', until: '2026-11-27' },
        filter: 'no-show',
        provider: { kind: 'some', ids: ['chen', 'junior'] },
      },
    ],
    [{ kind: 'schedule' }, { kind: 'schedule', period: { from: today, until: today }, filter: 'all', provider: all }],
    [
      { kind: 'next-patient', provider: 'own' },
      { kind: 'next-patient', provider: { kind: 'own' } },
    ],
    [
      { kind: 'patient-appointments', person: 'Person 2', which: 'last' },
      { kind: 'patient-appointments', person: 'Silva', which: 'last' },
    ],
    [
      { kind: 'find-patient', person: 'Person 1' },
      { kind: 'find-patient', search: 'Maria Alvarez', isGuess: false },
    ],
    [
      { kind: 'free-slots', durationMinutes: 44.6, earliestTime: '13:00', latestTime: '25:00', from: '2026-12-01' },
      {
        kind: 'free-slots',
        period: { from: '2026-12-01', until: '2026-12-01' },
        durationMinutes: 45,
        time: { from: '13:00', until: null },
        provider: all,
      },
    ],
    [
      { kind: 'figure', figure: 'no-shows', from: '2026-11-01', until: '2026-11-30' },
      { kind: 'figure', figure: 'no-shows', period: { from: '2026-11-01', until: '2026-11-30' } },
    ],
    [
      { kind: 'last-form', person: 'Person 1' },
      { kind: 'last-form', person: 'Maria Alvarez' },
    ],
    [{ kind: 'working-hours' }, { kind: 'working-hours', period: null, provider: all }],
    [{ kind: 'waitlist' }, { kind: 'waitlist' }],
    [
      { kind: 'change', person: 'Person 1' },
      { kind: 'change', change: 'other', person: 'Maria Alvarez', period: null },
    ],
  ])('chooses an answer: %j', (reply, intent) => {
    expect(read(reply)).toEqual(intent)
  })

  it.each<Partial<ModelIntent>>([
    { kind: 'find-patient' },
    { kind: 'find-patient', person: 'Person 3' },
    { kind: 'find-patient', person: 'Everyone of another practice' },
    { kind: 'patient-appointments', person: 'Maria Alvarez' },
    { kind: 'last-form', person: 'Person 0' },
    { kind: 'figure' },
  ])('is unknown when it names nothing that the user typed: %j', (reply) => {
    expect(read(reply)).toEqual({ kind: 'unknown' })
  })

  it.each([
    { from: '2026-02-30' },
    { from: 'tomorrow' },
    { from: '2026-12-02', until: '2026-12-01' },
    { from: '1900-01-01', until: '2026-01-01' },
    { from: today, until: '2026-02-30' },
    { until: '2024-11-23' },
    { from: '2028-11-28' },
  ])('has no period that cannot be one: %j', (period) => {
    expect(read({ kind: 'figure', figure: 'appointments', ...period })).toMatchObject({ period: null })
  })

  it('has a period of up to two years from today', () => {
    const period = { from: '2024-11-24', until: '2028-11-27' }
    expect(read({ kind: 'figure', figure: 'appointments', ...period })).toMatchObject({ period })
  })

  it('has a duration that can be booked', () => {
    const durations = [null, -20, 4, 5, 6, 100_000].map((durationMinutes) =>
      read({ kind: 'free-slots', durationMinutes }),
    )
    expect(durations).toMatchObject(
      [defaultDuration, 5, 5, 5, 6, maxDuration].map((durationMinutes) => ({ durationMinutes })),
    )
  })

  it('names every provider when its placeholder stands for none', () => {
    const none = { ...question, providers: [[]] }
    const reply = { ...nothing, kind: 'next-patient', provider: 'Provider 1' } as const
    expect(readIntent(reply, none, today)).toEqual({ kind: 'next-patient', provider: all })
  })

  it('is asked for with the date of the practice', () => {
    expect(toInstructions('2026-11-26, a thursday')).toContain('Today is 2026-11-26, a thursday;')
  })
})
