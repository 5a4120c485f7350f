import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseIntent } from '#modules/chat/parse-intent.ts'
import { injections } from './injections.ts'

/** A Thursday. */
const today = '2026-11-26'
const chen = { id: 'chen', name: 'Dr. Amara Chen' }
const okoye = { id: 'okoye', name: 'Ben Okoye' }
const parse = (message: string) => parseIntent(message, { today, providers: [chen, okoye] })

const day = (date: string) => ({ from: date, until: date })
const all = { kind: 'all' }
const ofChen = { kind: 'some', ids: ['chen'] }
const thisWeek = { from: '2026-11-23', until: '2026-11-29' }
const nextWeek = { from: '2026-11-30', until: '2026-12-06' }
const lastWeek = { from: '2026-11-16', until: '2026-11-22' }
const thisMonth = { from: '2026-11-01', until: '2026-11-30' }

const schedule = (date: string, over: object = {}) => ({
  kind: 'schedule',
  period: day(date),
  filter: 'all',
  provider: all,
  ...over,
})
const slots = (over: object = {}) => ({
  kind: 'free-slots',
  period: null,
  durationMinutes: 30,
  time: { from: null, until: null },
  provider: all,
  ...over,
})
const patient = (person: string, which: 'next' | 'last' | 'missed' = 'next') => ({
  kind: 'patient-appointments',
  person,
  which,
})
const find = (search: string, isGuess = false) => ({ kind: 'find-patient', search, isGuess })
const figure = (name: string, period: object | null = null) => ({ kind: 'figure', figure: name, period })
const change = (kind: string, person: string | null = null, period: object | null = null) => ({
  kind: 'change',
  change: kind,
  person,
  period,
})

describe('a question', () => {
  it.each<[string, object]>([
    // Small talk
    ['Hello', { kind: 'greeting' }],
    ['good morning!', { kind: 'greeting' }],
    ['Thanks a lot', { kind: 'thanks' }],
    ['help', { kind: 'help' }],
    ['What can you do?', { kind: 'help' }],
    ['What can I ask you?', { kind: 'help' }],
    // The schedule of a day
    ['show me tomorrow', schedule('2026-11-27')],
    ["What's on today?", schedule(today)],
    ['What does my day look like?', schedule(today, { provider: { kind: 'own' } })],
    ['schedule for tomorrow please', schedule('2026-11-27')],
    ['Who is coming on Friday', schedule('2026-11-27')],
    ['appointments on 12/3', schedule('2026-12-03')],
    ['Appointments on December 3', schedule('2026-12-03')],
    ['appointments on the 3rd of December', schedule('2026-12-03')],
    ['2026-12-24', schedule('2026-12-24')],
    ['who do we have next Monday?', schedule('2026-11-30')],
    ['Who came in yesterday?', schedule('2026-11-25')],
    ['day after tomorrow', schedule('2026-11-28')],
    ['what’s booked in two weeks', schedule('2026-12-10')],
    ['How busy is next week?', schedule('', { period: nextWeek })],
    ["Show Dr. Chen's schedule for tomorrow", schedule('2026-11-27', { provider: ofChen })],
    ['Okoye tomorrow', schedule('2026-11-27', { provider: { kind: 'some', ids: ['okoye'] } })],
    ['What does Dr. Zhivago have today?', schedule(today, { provider: { kind: 'unknown', name: 'Zhivago' } })],
    ['my appointments today', schedule(today, { provider: { kind: 'own' } })],
    ['any emergencies today?', schedule(today, { filter: 'emergency' })],
    ['Who was cancelled yesterday', schedule('2026-11-25', { filter: 'cancelled' })],
    ["who's waiting?", schedule(today, { filter: 'waiting' })],
    ['Who is in the waiting room', schedule(today, { filter: 'waiting' })],
    // Confirmations
    ['Who has not confirmed for tomorrow?', schedule('2026-11-27', { filter: 'unconfirmed' })],
    ['unconfirmed appointments', schedule('2026-11-27', { filter: 'unconfirmed' })],
    ["who hasn't confirmed yet on Monday", schedule('2026-11-30', { filter: 'unconfirmed' })],
    ['Who should I call?', schedule('2026-11-27', { filter: 'unconfirmed' })],
    ['who has confirmed for today', schedule(today, { filter: 'confirmed' })],
    // Next
    ["who's next", { kind: 'next-patient', provider: all }],
    ['Next patient?', { kind: 'next-patient', provider: all }],
    ['who is my next patient', { kind: 'next-patient', provider: { kind: 'own' } }],
    ['who is next for Dr Chen', { kind: 'next-patient', provider: ofChen }],
    // Appointments of a patient
    ['when is Maria Alvarez coming', patient('Maria Alvarez')],
    ["when's maria alvarez's next appointment?", patient('maria alvarez')],
    ['Does Tom Becker have an appointment next week', patient('Tom Becker')],
    ['When is Will Smith coming in?', patient('Will Smith')],
    ["What time is O'Neill booked today", patient("O'Neill")],
    ['next appointment for José García', patient('José García')],
    ['when was Maria Alvarez last here', patient('Maria Alvarez', 'last')],
    ['last appointment of Hannah Novak', patient('Hannah Novak', 'last')],
    ['When did Grace Liu come in?', patient('Grace Liu', 'last')],
    ['has Marcus Reid missed any appointments', patient('Marcus Reid', 'missed')],
    // Finding a patient
    ['find Maria Alvarez', find('Maria Alvarez')],
    ['look up patient becker', find('becker')],
    ["What is Maria Alvarez's phone number?", find('Maria Alvarez')],
    ['what are the allergies of Priya Raman', find('Priya Raman')],
    ['who called from (617) 555-0134?', find('(617) 555-0134')],
    ['6175550134', find('6175550134')],
    ['patient born on March 14, 1978', find('1978-03-14')],
    ['Alvarez born 3/14/1978', find('Alvarez 1978-03-14')],
    ['date of birth 1978-03-14', find('1978-03-14')],
    ['who is maria@example.test', find('maria@example.test')],
    ['Maria Alvarez', find('Maria Alvarez', true)],
    ['find "Chen Wei"', find('Chen Wei')],
    // Free slots
    ['is there a free slot on Thursday for 30 minutes', slots({ period: day(today) })],
    ['free slots tomorrow morning', slots({ period: day('2026-11-27'), time: { from: null, until: '12:00' } })],
    ['when is the earliest available appointment?', slots()],
    ['Next available for an hour', slots({ durationMinutes: 60 })],
    ['do we have any openings next week after 3pm', slots({ period: nextWeek, time: { from: '15:00', until: null } })],
    [
      'any gaps with Dr. Chen on Friday for 45 min',
      slots({ period: day('2026-11-27'), durationMinutes: 45, provider: ofChen }),
    ],
    ['when can Dr Okoye see someone', slots({ provider: { kind: 'some', ids: ['okoye'] } })],
    ['half an hour free this afternoon?', slots({ period: day(today), time: { from: '12:00', until: null } })],
    // The waitlist
    ['who is on the waitlist', { kind: 'waitlist' }],
    ['waiting list', { kind: 'waitlist' }],
    ['How many are on the waiting list?', { kind: 'waitlist' }],
    // Figures
    ['how many patients do we have', figure('patients')],
    ['number of patients', figure('patients')],
    ['How many patients came last week?', figure('completed', lastWeek)],
    ['how many new patients this month', figure('new-patients', thisMonth)],
    ['how many patients are booked tomorrow', figure('appointments', day('2026-11-27'))],
    ['How many appointments do we have this week?', figure('appointments', thisWeek)],
    ['how many no-shows last week', figure('no-shows', lastWeek)],
    ['How many appointments were completed today?', figure('completed', day(today))],
    ['how many cancellations this week', figure('cancelled', thisWeek)],
    ['revenue this month', figure('revenue', thisMonth)],
    ['how much did we make last week', figure('revenue', lastWeek)],
    ['who missed their appointment yesterday', schedule('2026-11-25', { filter: 'no-show' })],
    ['show no-shows', schedule('', { filter: 'no-show', period: { from: '2026-10-28', until: today } })],
    // Providers and working hours
    ['which doctors do we have', { kind: 'providers' }],
    ['list the providers', { kind: 'providers' }],
    ['what are our opening hours', { kind: 'working-hours', period: null, provider: all }],
    ['Are we open on Saturday?', { kind: 'working-hours', period: day('2026-11-28'), provider: all }],
    ['who is working tomorrow', { kind: 'working-hours', period: day('2026-11-27'), provider: all }],
    ['is Dr. Chen off on Friday', { kind: 'working-hours', period: day('2026-11-27'), provider: ofChen }],
    // Forms
    ['which forms are waiting for review', { kind: 'forms-waiting' }],
    ['forms to review', { kind: 'forms-waiting' }],
    ["summarize Maria Alvarez's last form", { kind: 'last-form', person: 'Maria Alvarez' }],
    ['What did Tom Becker write in the intake form?', { kind: 'last-form', person: 'Tom Becker' }],
    // Changes
    ['book Maria Alvarez for Friday', change('book', 'Maria Alvarez', day('2026-11-27'))],
    ['Please schedule an appointment tomorrow', change('book', null, day('2026-11-27'))],
    ['can you cancel the appointment of Tom Becker', change('cancel', 'Tom Becker')],
    ['move Grace Liu to Monday', change('move', 'Grace Liu', day('2026-11-30'))],
    ['add a new patient', change('add-patient')],
    ['send an intake form to Maria Alvarez', change('create-form', 'Maria Alvarez')],
    ['delete all patients', change('other')],
    // Not understood
    ['what is the meaning of life and everything else in this wide world', { kind: 'unknown' }],
    ['', { kind: 'unknown' }],
    ['???', { kind: 'unknown' }],
  ])('%s', (message, intent) => {
    expect(parse(message)).toEqual(intent)
  })

  it('means something to read, or a change that is only proposed, whatever it says', () => {
    const words = fc.constantFrom(...injections.flatMap((text) => text.split(' ')), 'next', 'tomorrow', 'Chen', 'free')
    const messages = fc.oneof(
      fc.string({ maxLength: 4_000, unit: 'grapheme' }),
      fc.array(words).map((list) => list.join(' ')),
    )
    fc.assert(
      fc.property(messages, (message) => {
        const { kind } = parse(message)
        expect(kind).toMatch(/^[a-z-]+$/)
      }),
    )
  })

  it('of 4,000 characters is parsed in no time', () => {
    for (const part of ['please ', 'is ', '(617) ', '1 ', 'a@', 'last ', "o'", '1978-03-']) {
      const startedAt = performance.now()
      parse(part.repeat(4_000 / part.length))
      expect(performance.now() - startedAt).toBeLessThan(1_000)
    }
  })
})
