import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Inquiry, readAnswer, writeInquiry } from '#modules/insurance/eligibility/x12.ts'
import { activePlan, compose271 } from './replies.ts'

const inquiry: Inquiry = {
  trace: 'TRACE1',
  insurer: 'Summit Mutual',
  practice: 'Harbor Clinic',
  policyNumber: 'SM-7741*0093~',
  groupNumber: null,
  member: { firstName: 'Grace', lastName: "Liu-O'Neill", birthDate: '1980-01-02' },
  dependent: null,
  serviceDate: '2031-03-20',
  at: '2031-03-10T15:04:00.000Z',
}
const read = (text: string, over: Partial<Inquiry> = {}) => readAnswer(text, { ...inquiry, ...over })
const nothing = { startsOn: null, endsOn: null }

describe('a question', () => {
  it('is a 270 with the member, the date and the question for the health plan', () => {
    expect(writeInquiry(inquiry).split('~')).toEqual([
      'ISA*00*          *00*          *ZZ*EVERCHART      *ZZ*CLEARINGHOUSE  *310310*1504*^*00501*000000001*0*P*:',
      'GS*HS*EVERCHART*CLEARINGHOUSE*20310310*1504*1*X*005010X279A1',
      'ST*270*0001*005010X279A1',
      'BHT*0022*13*TRACE1*20310310*1504',
      'HL*1**20*1',
      'NM1*PR*2*SUMMIT MUTUAL*****PI*SUMMIT MUTUAL',
      'HL*2*1*21*1',
      'NM1*1P*2*HARBOR CLINIC',
      'HL*3*2*22*0',
      'TRN*1*TRACE1*9EVERCHART',
      "NM1*IL*1*LIU-O'NEILL*GRACE****MI*SM-7741 0093",
      'DMG*D8*19800102',
      'DTP*291*D8*20310320',
      'EQ*30',
      'SE*13*0001',
      'GE*1*1',
      'IEA*1*000000001',
      '',
    ])
  })

  it('names the patient after the member where they are two people, and the group', () => {
    const dependent = { firstName: 'Zoë', lastName: 'Liu', birthDate: null }
    const segments = writeInquiry({ ...inquiry, dependent, groupNumber: 'G-12' }).split('~')
    expect(segments.filter((segment) => /^(HL|NM1|REF|DMG)/.test(segment)).slice(4)).toEqual([
      'HL*3*2*22*1',
      "NM1*IL*1*LIU-O'NEILL*GRACE****MI*SM-7741 0093",
      'REF*6P*G-12',
      'DMG*D8*19800102',
      'HL*4*3*23*0',
      'NM1*03*1*LIU*ZOE',
    ])
  })

  it('has names and numbers of at most the length of their elements, without a space at the end', () => {
    const long = (letter: string, length: number) => letter.repeat(length)
    const person = { firstName: long('f', 36), lastName: long('l', 61), birthDate: null }
    const segments = writeInquiry({
      ...inquiry,
      insurer: `${long('i', 59)} x`,
      practice: long('h', 61),
      groupNumber: long('g', 51),
      policyNumber: long('p', 81),
      member: person,
      dependent: null,
    }).split('~')
    expect(segments.filter((segment) => /^(NM1|REF)/.test(segment))).toEqual([
      `NM1*PR*2*${long('I', 59)}*****PI*${long('I', 59)}`,
      `NM1*1P*2*${long('H', 60)}`,
      `NM1*IL*1*${long('L', 60)}*${long('F', 35)}****MI*${long('P', 80)}`,
      `REF*6P*${long('G', 50)}`,
    ])
  })

  it('keeps its form whatever is entered', () => {
    const any = fc.string({ unit: 'binary', maxLength: 300 })
    fc.assert(
      fc.property(any, any, any, any, (insurer, policyNumber, firstName, lastName) => {
        const text = writeInquiry({
          ...inquiry,
          insurer,
          policyNumber,
          member: { ...inquiry.member, firstName, lastName },
        })
        const segments = text.split('~')
        expect([text.slice(0, 3), segments.length, segments[14]]).toEqual(['ISA', 18, 'SE*13*0001'])
        expect(text).toMatch(/^[ -~]+$/)
        expect(segments[10]?.split('*').length).toBeLessThanOrEqual(10)
      }),
    )
  })
})

describe('an answer', () => {
  it('is active with the dates of the plan', () => {
    expect(read(compose271(activePlan))).toEqual({
      outcome: 'active',
      code: 'EB 1',
      startsOn: '2031-01-01',
      endsOn: '2031-12-31',
    })
    expect(read(compose271(['EB*1**1^30^98']))).toEqual({ outcome: 'active', code: 'EB 1', ...nothing })
    expect(read(compose271(['DTP*291*RD8*20310101-20310630', 'EB*3**']))).toEqual({
      outcome: 'active',
      code: 'EB 3',
      startsOn: '2031-01-01',
      endsOn: '2031-06-30',
    })
  })

  it('has no dates where they are no dates', () => {
    const dates = ['DTP*346*D8*2031', 'DTP*347*D8*soon', 'DTP*291*RD8*20310101']
    expect(read(compose271([...dates, 'EB*1**30']))).toMatchObject({
      outcome: 'active',
      startsOn: '2031-01-01',
      endsOn: null,
    })
    expect(read(compose271(['DTP*291*D8', 'EB*1**30']))).toMatchObject({ outcome: 'active', ...nothing })
  })

  it('is read with the separators that its header declares', () => {
    const separators = { element: '|', component: '>', repetition: '!', terminator: '\n' }
    expect(read(compose271(['DTP*347*D8*20311231', 'EB*1**30^98'], separators))).toMatchObject({
      outcome: 'active',
      endsOn: '2031-12-31',
    })
    expect(read(compose271(['EB*6**30'], { component: '\\', terminator: "'" }))).toMatchObject({ outcome: 'inactive' })
    expect(read(compose271(activePlan, { terminator: '~\r\n' }))).toMatchObject({ outcome: 'active' })
  })

  it('is not covered when the plan ends before the appointment, begins after it, or excludes the service', () => {
    const plan = compose271(activePlan)
    expect(read(plan, { serviceDate: '2032-01-01' })).toMatchObject({ outcome: 'not-covered', endsOn: '2031-12-31' })
    expect(read(plan, { serviceDate: '2030-12-31' })).toMatchObject({ outcome: 'not-covered' })
    expect(read(compose271(['EB*I**30']))).toMatchObject({ outcome: 'not-covered', code: 'EB I' })
  })

  it('is inactive only when the insurer says so of the plan', () => {
    expect(read(compose271(['EB*6**30']))).toMatchObject({ outcome: 'inactive', code: 'EB 6' })
    expect(read(compose271(['EB*8']))).toMatchObject({ outcome: 'inactive' })
    // Dental care ended; of the plan nothing is said.
    expect(read(compose271(['EB*6**35']))).toEqual({ outcome: 'no-answer', code: null, ...nothing })
    expect(read(compose271(['EB*6**35', 'EB*1**30']))).toMatchObject({ outcome: 'active' })
  })

  it.each([
    ['42', 'retry-later'],
    ['80', 'retry-later'],
    ['72', 'correct-data'],
    ['73', 'correct-data'],
    ['75', 'correct-data'],
    ['71', 'correct-data'],
    ['50', 'enrolment'],
    ['41', 'enrolment'],
    ['15', 'no-answer'],
  ])('refused with the reason %s is %s', (code, outcome) => {
    expect(read(compose271([`AAA*N**${code}*C`]))).toEqual({ outcome, code: `AAA ${code}`, ...nothing })
  })

  it('never says more than the insurer: to another question, cut off, or garbage it is none', () => {
    const plan = compose271(activePlan)
    expect(read(compose271(activePlan, { trace: 'OTHER' }))).toMatchObject({
      code: 'other-question',
      outcome: 'no-answer',
    })
    const outcomes = new Set(Array.from({ length: plan.length }, (_, end) => read(plan.slice(0, end)).outcome))
    expect([...outcomes]).toEqual(['no-answer'])
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        expect(read(text).outcome).toBe('no-answer')
        expect(read(`${plan.slice(0, 106)}${text}`).outcome).toBe('no-answer')
      }),
    )
  })
})
