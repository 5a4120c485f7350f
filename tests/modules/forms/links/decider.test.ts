import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FormLinkId } from '#contracts/values/ids.ts'
import { fold, isRejection } from '#eventstore/decider.ts'
import { type FormLinkCommand, formLinkDecider } from '#modules/forms/links/decider.ts'
import type { FormLinkEvent } from '#modules/forms/links/events.ts'
import { createFormAccess, createFormToken, isFormAccess, parseFormToken } from '#modules/forms/links/tokens.ts'
import { otherPracticeId, practiceId } from '#tests/modules/patients/patient-fixtures.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import { formId, subject } from '../fixtures.ts'

const given = deciderSpec(formLinkDecider)
const linkId = FormLinkId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0201')
const otherLinkId = FormLinkId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0202')
const expiresAt = '2026-12-04T08:00:00.000Z'
const now = '2026-11-27T08:00:00.000Z'
const of = { ...subject, linkId }
const created: FormLinkEvent = { type: 'FormLinkCreated', data: { ...of, expiresAt } }
const replaced: FormLinkEvent = { type: 'FormLinkCreated', data: { ...of, linkId: otherLinkId, expiresAt } }
const missed: FormLinkEvent = { type: 'FormLinkMissed', data: of }
const opened: FormLinkEvent = { type: 'FormLinkOpened', data: of }
const revoked: FormLinkEvent = { type: 'FormLinkRevoked', data: of }
const tryDate = (isRight: boolean, over: object = {}): FormLinkCommand => ({
  type: 'Try',
  linkId,
  isRight,
  now,
  ...over,
})

describe('a link to a form', () => {
  it('is opened by the right date of birth, and recorded once', () => {
    given()
      .when({ type: 'Create', link: { ...of, expiresAt } })
      .then(created)
    given(created).when(tryDate(true)).then(opened)
    given(created, opened).when(tryDate(true)).thenNothing()
    given(created, missed, missed).when(tryDate(true)).then(opened)
  })

  it('is closed by three wrong ones, for the right one too', () => {
    given(created).when(tryDate(false)).then(missed)
    given(created, missed, missed).when(tryDate(false)).then(missed)
    given(created, missed, missed, missed).when(tryDate(true)).thenRefused('link-closed')
    given(created, opened, missed, missed, missed).when(tryDate(true)).thenRefused('link-closed')
  })

  it('does not work once it is revoked, replaced or expired, nor without one', () => {
    given().when(tryDate(true)).thenRefused('not-found')
    given(created, revoked).when(tryDate(true)).thenRefused('link-revoked')
    given(created, replaced).when(tryDate(true)).thenRefused('link-replaced')
    given(created)
      .when(tryDate(true, { now: expiresAt }))
      .thenRefused('link-expired')
    given(created, missed, missed, missed, replaced)
      .when(tryDate(true, { linkId: otherLinkId }))
      .then({
        type: 'FormLinkOpened',
        data: { ...of, linkId: otherLinkId },
      })
  })

  it('is revoked once, by its own practice', () => {
    given(created).when({ type: 'Revoke', practiceId }).then(revoked)
    given(created, revoked).when({ type: 'Revoke', practiceId }).thenNothing()
    given(created).when({ type: 'Revoke', practiceId: otherPracticeId }).thenNothing()
    given().when({ type: 'Revoke', practiceId }).thenNothing()
  })

  it('is opened by nothing after three wrong dates, whatever is tried in whatever order', () => {
    /** Counts the wrong dates since the newest link. */
    const countMisses = (events: readonly FormLinkEvent[]) =>
      events
        .slice(events.findLastIndex(({ type }) => type === 'FormLinkCreated') + 1)
        .filter(({ type }) => type === 'FormLinkMissed').length
    const command = fc.constantFrom<FormLinkCommand>(
      { type: 'Create', link: { ...of, expiresAt } },
      { type: 'Revoke', practiceId },
      tryDate(true),
      tryDate(false),
      tryDate(true, { now: expiresAt }),
      tryDate(true, { linkId: otherLinkId }),
    )
    fc.assert(
      fc.property(fc.array(command, { maxLength: 25 }), (commands) => {
        let history: FormLinkEvent[] = []
        for (const each of commands) {
          const decided = formLinkDecider.decide(each, fold(formLinkDecider, history))
          if (!isRejection(decided)) history = [...history, ...decided]
        }
        const missesBefore = history.flatMap((event, index) =>
          event.type === 'FormLinkOpened' ? countMisses(history.slice(0, index)) : [],
        )
        expect(Math.max(0, ...missesBefore, countMisses(history) - 1)).toBeLessThan(3)
      }),
    )
  })
})

describe('a token', () => {
  const keyedHash = (purpose: string, value: string) =>
    Buffer.from(`${purpose} ${value}`.padEnd(64, 'x')).toString('hex')

  it('is of one form, and no other text has its id', () => {
    const { token, linkId: id } = createFormToken(keyedHash, formId)
    expect(parseFormToken(keyedHash, token)).toEqual({ formId, linkId: id })
    expect(parseFormToken(keyedHash, `${token}x`)?.linkId).not.toBe(id)
    for (const wrong of ['', '.', 'x', 'constructor', token.slice(5), formId])
      expect(parseFormToken(keyedHash, wrong)?.linkId).not.toBe(id)
  })

  it('is used for four hours with one date of birth', () => {
    const begin = new Date(now)
    const later = (hours: number) => new Date(begin.getTime() + hours * 3_600_000)
    const access = createFormAccess(keyedHash, linkId, begin)
    expect(isFormAccess(keyedHash, access, linkId, later(3.9))).toBe(true)
    expect(isFormAccess(keyedHash, access, linkId, later(4))).toBe(false)
    expect(isFormAccess(keyedHash, access, otherLinkId, begin)).toBe(false)
    expect(isFormAccess(keyedHash, `${linkId}.9999999999999.${'0'.repeat(32)}`, linkId, begin)).toBe(false)
  })
})
