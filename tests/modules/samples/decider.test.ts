import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PracticeId } from '#contracts/values/ids.ts'
import { fold, isRejection } from '#eventstore/decider.ts'
import { type SampleCommand, sampleDecider } from '#modules/samples/decider.ts'
import type { SampleEvent } from '#modules/samples/events.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'

const given = deciderSpec(sampleDecider)
const practiceId = PracticeId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0002')
const parameters = { at: '2026-11-20T08:00:00.000Z', timezone: 'Asia/Kathmandu', seed: 7 }
const counts = { patients: 40, appointments: 280 }

const plan: SampleCommand = { type: 'Plan', practiceId, ...parameters }
const finishSeeding: SampleCommand = { type: 'FinishSeeding', practiceId, ...counts }
const remove: SampleCommand = { type: 'Remove', practiceId, edited: 'keep' }
const finishRemoval: SampleCommand = { type: 'FinishRemoval', practiceId }

const planned: SampleEvent = { type: 'SamplePracticePlanned', data: { practiceId, ...parameters } }
const seeded: SampleEvent = { type: 'SamplePracticeSeeded', data: { practiceId, ...counts } }
const requested: SampleEvent = { type: 'SampleRemovalRequested', data: { practiceId, edited: 'keep' } }
const removed: SampleEvent = { type: 'SamplePracticeRemoved', data: { practiceId } }

describe('a sample practice', () => {
  it('is planned once and never again', () => {
    given().when(plan).then(planned)
    given(planned)
      .when({ ...plan, seed: 8 })
      .thenNothing()
    given(planned, seeded).when(plan).thenNothing()
    given(planned, seeded, requested, removed).when(plan).thenNothing()
  })

  it('is seeded when all records are written', () => {
    given(planned).when(finishSeeding).then(seeded)
    given(planned, seeded).when(finishSeeding).thenNothing()
    given().when(finishSeeding).thenNothing()
  })

  it('is removed once, and only after seeding has finished', () => {
    given().when(remove).thenNothing()
    given(planned).when(remove).thenNothing()
    given(planned, seeded).when(remove).then(requested)
    given(planned, seeded, requested)
      .when({ ...remove, edited: 'remove' })
      .thenNothing()
    given(planned, seeded, requested, removed).when(remove).thenNothing()
  })

  it('is removed when no record is left', () => {
    given(planned, seeded, requested).when(finishRemoval).then(removed)
    given(planned, seeded).when(finishRemoval).thenNothing()
    given(planned, seeded, requested, removed).when(finishRemoval).thenNothing()
  })

  it('keeps its parameters, and the choice made for its removal', () => {
    expect(fold(sampleDecider, [planned, seeded])).toEqual({ status: 'seeded', parameters })
    expect(fold(sampleDecider, [planned, seeded, requested])).toEqual({
      status: 'removing',
      parameters,
      edited: 'keep',
    })
  })

  it('passes through its states in one direction, whatever the order of commands', () => {
    const commands = fc.array(fc.constantFrom(plan, finishSeeding, remove, finishRemoval), { maxLength: 30 })
    fc.assert(
      fc.property(commands, (sequence) => {
        const history: SampleEvent[] = []
        for (const command of sequence) {
          const decision = sampleDecider.decide(command, fold(sampleDecider, history))
          if (isRejection(decision)) throw new Error('No command may be refused')
          history.push(...decision)
        }
        const states = [planned, seeded, requested, removed].map(({ type }) => type)
        expect(history.map(({ type }) => type)).toEqual(states.slice(0, history.length))
      }),
    )
  })
})
