import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold, isRejection } from '#eventstore/decider.ts'
import { type FormCommand, formDecider } from '#modules/forms/decider.ts'
import type { FormEvent } from '#modules/forms/events.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import { otherPracticeId } from '#tests/modules/patients/patient-fixtures.ts'
import {
  analyzed,
  assigned,
  complete,
  completed,
  failAnalysis,
  failed,
  recordAnalysis,
  requestAnalysis,
  requested,
  review,
  reviewed,
  save,
  saved,
  skipAnalysis,
  skipped,
  submit,
  submitted,
} from './fixtures.ts'

const given = deciderSpec(formDecider)
const filledIn = [assigned, saved(1, 'chest pain'), submitted()]

describe('the answers of a form', () => {
  it('are saved while it is pending, each change as a version', () => {
    given(assigned).when(save('cough')).then(saved(1, 'cough'))
    given(assigned, saved(1, 'cough')).when(save('chest pain')).then(saved(2, 'chest pain'))
    given(...filledIn)
      .when(save('cough'))
      .then(saved(2, 'cough'))
  })

  it('are not saved when none has changed', () => {
    given(assigned, saved(1, 'cough')).when(save('cough')).thenNothing()
    given(assigned).when(save(null)).thenNothing()
  })

  it('can be removed', () => {
    const data = { ...assigned.data, version: 2, answers: [], changed: ['reason'] }
    const { formType: _type, templateVersion: _version, title: _title, ...removed } = data
    given(assigned, saved(1, 'cough')).when(save(null)).then({ type: 'FormAnswersSaved', data: removed })
  })

  it('are handed in once, with the last change', () => {
    given(assigned).when(save('cough', true)).then(saved(1, 'cough'), submitted())
    given(assigned, saved(1, 'cough')).when(submit).then(submitted())
    given(...filledIn)
      .when(submit)
      .thenNothing()
    // Also when it is sent again after the review, because its first answer was lost.
    given(...filledIn, reviewed())
      .when(submit)
      .thenNothing()
  })

  it('cannot be changed after the review', () => {
    given(...filledIn, reviewed())
      .when(save('cough'))
      .thenRefused('form-closed')
    given(...filledIn, reviewed())
      .when(save('chest pain'))
      .thenNothing()
  })
})

describe('the status of a form', () => {
  it('is reviewed and completed, each once', () => {
    given(...filledIn)
      .when(review)
      .then(reviewed())
    given(...filledIn, reviewed())
      .when(review)
      .thenNothing()
    given(...filledIn, reviewed())
      .when(complete)
      .then(completed())
    given(...filledIn, reviewed(), completed())
      .when(complete)
      .thenNothing()
    given(...filledIn, reviewed(), completed())
      .when(review)
      .thenNothing()
  })

  it('is completed with its review in one step', () => {
    given(...filledIn)
      .when(complete)
      .then(reviewed(), completed())
  })

  it('stays pending until the answers are handed in', () => {
    given(assigned, saved(1, 'cough')).when(review).thenRefused('form-not-submitted')
    given(assigned).when(complete).thenRefused('form-not-submitted')
  })
})

describe('the analysis of a form', () => {
  it('is requested by a submission, and once more by a user when it failed', () => {
    given(...filledIn)
      .when(requestAnalysis)
      .thenNothing()
    given(...filledIn)
      .when(failAnalysis())
      .then(failed())
    given(...filledIn, failed())
      .when(requestAnalysis)
      .then(requested())
    given(...filledIn, failed(), requested())
      .when(requestAnalysis)
      .thenNothing()
  })

  it('is recorded once per version', () => {
    given(...filledIn)
      .when(recordAnalysis())
      .then(analyzed())
    given(...filledIn, analyzed())
      .when(recordAnalysis())
      .thenNothing()
    given(...filledIn, analyzed())
      .when(requestAnalysis)
      .thenNothing()
    given(...filledIn, analyzed())
      .when(failAnalysis())
      .thenNothing()
  })

  it('is skipped while nothing came of it, and is made on request after that', () => {
    given(...filledIn)
      .when(skipAnalysis())
      .then(skipped())
    given(...filledIn, skipped())
      .when(skipAnalysis())
      .thenNothing()
    given(...filledIn, analyzed())
      .when(skipAnalysis())
      .thenNothing()
    given(...filledIn, skipped())
      .when(requestAnalysis)
      .then(requested())
  })

  it('of earlier answers is not recorded; a draft is analyzed on request', () => {
    given(...filledIn, saved(2, 'cough'))
      .when(recordAnalysis(1))
      .thenNothing()
    given(...filledIn, analyzed(), saved(2, 'cough'))
      .when(requestAnalysis)
      .then(requested(2))
    given(assigned, saved(1, 'cough')).when(requestAnalysis).then(requested())
  })

  it('that arrives after a failure stands', () => {
    given(...filledIn, failed())
      .when(recordAnalysis())
      .then(analyzed())
  })
})

it('is created once, and belongs to one practice', () => {
  given().when({ type: 'Assign', form: assigned.data }).then(assigned)
  given(assigned).when({ type: 'Assign', form: assigned.data }).thenNothing()
  given().when(submit).thenRefused('not-found')
  given(...filledIn)
    .when({ ...review, practiceId: otherPracticeId } as FormCommand)
    .thenRefused('not-found')
})

describe('whatever the commands', () => {
  const command = fc.oneof(
    fc.constantFrom(save('a'), save('b'), save(null), save('c', true), submit, review, complete, requestAnalysis),
    fc.integer({ min: 0, max: 4 }).map(recordAnalysis),
    fc.integer({ min: 0, max: 4 }).map(failAnalysis),
    fc.integer({ min: 0, max: 4 }).map(skipAnalysis),
  )
  const decideAll = (commands: readonly FormCommand[]) =>
    commands.reduce<FormEvent[]>(
      (events, each) => {
        const decision = formDecider.decide(each, fold(formDecider, events))
        return isRejection(decision) ? events : [...events, ...decision]
      },
      [assigned],
    )

  it('the status never goes back, versions have no gap, and one version has at most one analysis', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 20 }), (commands) => {
        const events = decideAll(commands)
        const statuses = ['FormAssigned', 'FormReviewed', 'FormCompleted']
        const order = events.map(({ type }) => statuses.indexOf(type)).filter((at) => at >= 0)
        expect(order).toEqual([...new Set(order)].toSorted())
        const versions = events.flatMap(({ type, data }) => (type === 'FormAnswersSaved' ? [data.version] : []))
        expect(versions).toEqual(versions.map((_, index) => index + 1))
        const analyses = events.flatMap(({ type, data }) => (type === 'FormAnalyzed' ? [data.version] : []))
        expect(analyses).toEqual([...new Set(analyses)])
        expect(events.filter(({ type }) => type === 'FormSubmitted').length).toBeLessThanOrEqual(1)
        const closed = events.findIndex(({ type }) => type === 'FormReviewed')
        const lastAnswer = events.findLastIndex(({ type }) => type === 'FormAnswersSaved')
        if (closed >= 0) expect(lastAnswer).toBeLessThan(closed)
      }),
    )
  })

  it('a repeated command decides nothing', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 12 }), command, (commands, last) => {
        const events = decideAll([...commands, last])
        const again = formDecider.decide(last, fold(formDecider, events))
        expect(isRejection(again) ? [] : again).toEqual([])
      }),
    )
  })
})
