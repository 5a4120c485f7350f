import { describe, expect, it } from 'vitest'
import { addDays } from '#contracts/values/calendar.ts'
import { suggestCheckingAllergies } from '#modules/insights/rules/allergy-conflicts.ts'
import { suggestCheckingCoverage } from '#modules/insights/rules/coverage-ending.ts'
import { suggestComparing } from '#modules/insights/rules/duplicate-patients.ts'
import { findEmptyHours, type WorkingTime } from '#modules/insights/rules/empty-hours.ts'
import { suggestLookingAfterForms } from '#modules/insights/rules/forms-waiting.ts'
import { suggestAskingForContact } from '#modules/insights/rules/no-contact.ts'
import { suggestFollowUp } from '#modules/insights/rules/overdue-follow-up.ts'
import { suggestCallingAhead } from '#modules/insights/rules/repeated-no-shows.ts'
import { suggestVerifying } from '#modules/insights/rules/coverage-unverified.ts'
import { suggestCancelling } from '#modules/insights/rules/deceased-booked.ts'
import { suggestComparingPolicies } from '#modules/insights/rules/other-policy.ts'
import { suggestWritingNotes } from '#modules/insights/rules/notes-missing.ts'
import { suggestConfirming } from '#modules/insights/rules/unconfirmed-tomorrow.ts'
import { suggestUrgentReview } from '#modules/insights/rules/urgent-findings.ts'

const grace = { id: 'id', firstName: 'Grace', lastName: 'Hopper', date: '2031-03-05', time: '14:30' }
const found = (total: number, flagged = 0) => ({ total, flagged, first: [grace] })

describe('the rules about records', () => {
  it('use singular and plural', () => {
    const titles = (total: number) =>
      [
        suggestConfirming,
        suggestUrgentReview,
        suggestLookingAfterForms,
        suggestCallingAhead,
        suggestAskingForContact,
        suggestComparing,
        suggestFollowUp,
        suggestCheckingCoverage,
        suggestCheckingAllergies,
        suggestCancelling,
        suggestComparingPolicies,
        suggestWritingNotes,
        suggestVerifying,
      ].map((suggest) => suggest(found(total)).title)
    expect(titles(1)).toEqual([
      '1 appointment tomorrow is not confirmed',
      '1 form has an urgent finding',
      '1 form has been waiting for over 2 days',
      '1 patient with repeated no-shows has an upcoming appointment',
      '1 patient with an upcoming appointment cannot be reached',
      '1 record may be of the same patients',
      '1 patient has not been seen for over a year',
      "1 appointment is not covered by the patient's insurance",
      '1 patient takes a medication that may conflict with an allergy',
      '1 appointment is booked for a patient recorded as deceased',
      '1 appointment is covered by another insurance than the one in the record',
      '1 completed appointment has no note',
      '1 appointment is near, and the insurance is not verified',
    ])
    expect(titles(9)).toEqual([
      '9 appointments tomorrow are not confirmed',
      '9 forms have an urgent finding',
      '9 forms have been waiting for over 2 days',
      '9 patients with repeated no-shows have an upcoming appointment',
      '9 patients with an upcoming appointment cannot be reached',
      '9 records may be of the same patients',
      '9 patients have not been seen for over a year',
      "9 appointments are not covered by the patient's insurance",
      '9 patients take a medication that may conflict with an allergy',
      '9 appointments are booked for patients recorded as deceased',
      '9 appointments are covered by another insurance than the one in the record',
      '9 completed appointments have no note',
      '9 appointments are near, and the insurance is not verified',
    ])
  })

  it('find appointments of the dead more urgent within a week', () => {
    expect(suggestCancelling(found(2))).toMatchObject({ type: 'alert', priority: 'medium' })
    expect(suggestCancelling(found(2, 1)).priority).toBe('high')
  })

  it('find appointments without a verified insurance more urgent on the day before', () => {
    expect(suggestVerifying(found(2))).toMatchObject({ type: 'alert', priority: 'medium' })
    expect(suggestVerifying(found(2, 1)).priority).toBe('high')
  })

  it('find appointments with another insurance in the record more urgent within three days', () => {
    expect(suggestComparingPolicies(found(2))).toMatchObject({ type: 'alert', priority: 'medium' })
    expect(suggestComparingPolicies(found(2, 1)).priority).toBe('high')
  })

  it('find appointments of tomorrow more urgent when their patients missed one before', () => {
    expect(suggestConfirming(found(2))).toMatchObject({ type: 'alert', priority: 'medium' })
    const urgent = suggestConfirming(found(2, 1))
    expect(urgent.priority).toBe('high')
    expect(urgent.message).toContain('Among them 1 patient who missed an appointment')
  })

  it('name the records that they rest on, with links', () => {
    expect(suggestConfirming(found(12))).toMatchObject({
      basedOn: [
        {
          kind: 'appointment',
          id: 'id',
          label: '2:30 PM, Grace Hopper',
          href: '/appointments?date=2031-03-05&appointment=id',
        },
      ],
      basedOnTotal: 12,
    })
    expect(suggestUrgentReview(found(1)).basedOn).toMatchObject([{ kind: 'form', href: '/forms/id' }])
    const unnamed = { ...grace, firstName: null, lastName: null }
    expect(suggestFollowUp({ ...found(1), first: [unnamed] }).basedOn).toEqual([
      { kind: 'patient', id: 'id', label: 'Unnamed patient', href: '/patients/id' },
    ])
  })

  it('tell forms that wait for a review from those that wait for answers', () => {
    expect(suggestLookingAfterForms(found(3, 1))).toMatchObject({
      message: '1 form was handed in and not reviewed, 2 wait for the answers.',
      actionItems: ['Review what was handed in', 'Remind the patients to answer'],
    })
    expect(suggestLookingAfterForms(found(2, 2)).actionItems).toEqual(['Review what was handed in'])
  })
})

describe('hours that stay empty', () => {
  // A Wednesday; the default hours have three hours before noon and three and a half after it.
  const today = '2031-03-05'
  const long = { id: 'provider', since: '2030-01-01' }
  const practice = { week: null, providers: [long], closures: [] }
  const weekdays = [1, 2, 3, 4, 5]
  /** Books a share of all working time of six weeks, apart from some half weekdays. */
  const book = (share: number, other: Record<string, number> = {}): WorkingTime['booked'] =>
    weekdays.flatMap((weekday) =>
      (['morning', 'afternoon'] as const).map((half) => {
        const minutes = 6 * (half === 'morning' ? 180 : 210)
        return { weekday, half, minutes: minutes * (other[`${weekday} ${half}`] ?? share) }
      }),
    )
  const find = (booked: WorkingTime['booked'], change: Partial<NonNullable<WorkingTime['practice']>> = {}) =>
    findEmptyHours({ today, practice: { ...practice, ...change }, booked })

  it('are found by half weekday when the rest of the week is used', () => {
    const [only, ...others] = find(book(0.8, { '3 afternoon': 0.3 }))
    expect(others).toEqual([])
    expect(only).toMatchObject({
      subject: 'wednesday-afternoon',
      suggestion: {
        type: 'optimization',
        priority: 'medium',
        title: 'Wednesday afternoons stay half empty',
        message: 'In the last six weeks, 30% of these hours were booked, and 80% of all others.',
        basedOnTotal: 6,
      },
    })
    expect(only?.suggestion.basedOn[0]).toEqual({
      kind: 'schedule',
      id: '2031-01-22',
      label: 'Wednesday, January 22',
      href: '/appointments?date=2031-01-22',
    })
  })

  it('are not found in a practice that is little used, nor in one without providers', () => {
    expect(find(book(0.4, { '3 afternoon': 0 }))).toEqual([])
    expect(find(book(0.8, { '3 afternoon': 0 }), { providers: [] })).toEqual([])
    expect(findEmptyHours({ today, practice: null, booked: [] })).toEqual([])
  })

  it('are judged after four days of work only', () => {
    const empty = book(0.8, { '3 afternoon': 0 })
    expect(find(empty, { providers: [{ ...long, since: addDays(today, -21) }] })).toEqual([])
    const closed = { providerId: null, from: addDays(today, -42), until: addDays(today, -15) }
    expect(find(empty, { closures: [closed] })).toEqual([])
    expect(find(empty, { closures: [{ ...closed, providerId: 'provider' }] })).toEqual([])
    expect(find(empty)).toHaveLength(1)
  })

  it('have further grounds in the next quarter, and when the use falls', () => {
    const grounds = (use: number, at = today) =>
      findEmptyHours({ today: at, practice, booked: book(0.8, { '3 afternoon': use }) })[0]?.grounds
    expect(grounds(0.4)).toEqual(['2031-Q1 under 50%'])
    expect(grounds(0.2)).toEqual(['2031-Q1 under 50%', '2031-Q1 under 25%'])
    expect(grounds(0.4, '2031-04-02')).toEqual(['2031-Q2 under 50%'])
  })
})
