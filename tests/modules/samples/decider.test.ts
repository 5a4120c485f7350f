import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PracticeId } from '#contracts/values/ids.ts'
import { fold, isRejection } from '#eventstore/decider.ts'
import { type SampleCommand, sampleDecider } from '#modules/samples/decider.ts'
import type { SampleEvent } from '#modules/samples/events.ts'
import { deciderSpec } from '#tests/support/given.ts'

const given = deciderSpec(sampleDecider)
const practiceId = PracticeId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0002')
const beginnings = { at: '2026-11-20T08:00:00.000Z', timezone: 'Asia/Kathmandu', seed: 7 }
const counted = { patients: 40, appointments: 280 }

const plan: SampleCommand = { type: 'Plan', practiceId, ...beginnings }
const finishSeeding: SampleCommand = { type: 'FinishSeeding', practiceId, ...counted }
const remove: SampleCommand = { type: 'Remove', practiceId, edited: 'keep' }
const finishRemoval: SampleCommand = { type: 'FinishRemoval', practiceId }

const planned: SampleEvent = { type: 'SamplePracticePlanned', data: { practiceId, ...beginnings } }
const seeded: SampleEvent = { type: 'SamplePracticeSeeded', data: { practiceId, ...counted } }
const asked: SampleEvent = { type: 'SampleRemovalRequested', data: { practiceId, edited: 'keep' } }
const removed: SampleEvent = { type: 'SamplePracticeRemoved', data: { practiceId } }

describe('a sample practice', () => {
  it('comes once, and never comes back', () => {
    given().when(plan).then(planned)
    given(planned)
      .when({ ...plan, seed: 8 })
      .thenNothing()
    given(planned, seeded).when(plan).thenNothing()
    given(planned, seeded, asked, removed).when(plan).thenNothing()
  })

  it('is there when all of it is written', () => {
    given(planned).when(finishSeeding).then(seeded)
    given(planned, seeded).when(finishSeeding).thenNothing()
    given().when(finishSeeding).thenNothing()
  })

  it('goes once, and only when all of it is there', () => {
    given().when(remove).thenNothing()
    given(planned).when(remove).thenNothing()
    given(planned, seeded).when(remove).then(asked)
    given(planned, seeded, asked)
      .when({ ...remove, edited: 'remove' })
      .thenNothing()
    given(planned, seeded, asked, removed).when(remove).thenNothing()
  })

  it('is gone when nothing of it is left', () => {
    given(planned, seeded, asked).when(finishRemoval).then(removed)
    given(planned, seeded).when(finishRemoval).thenNothing()
    given(planned, seeded, asked, removed).when(finishRemoval).thenNothing()
  })

  it('holds on to what it was planned from, and to what was chosen for its removal', () => {
    expect(fold(sampleDecider, [planned, seeded])).toEqual({ status: 'seeded', beginnings })
    expect(fold(sampleDecider, [planned, seeded, asked])).toEqual({
      status: 'removing',
      beginnings,
      edited: 'keep',
    })
  })

  it('goes through its life in one direction, whatever is asked in whatever order', () => {
    const commands = fc.array(fc.constantFrom(plan, finishSeeding, remove, finishRemoval), { maxLength: 30 })
    fc.assert(
      fc.property(commands, (asks) => {
        const history: SampleEvent[] = []
        for (const ask of asks) {
          const decision = sampleDecider.decide(ask, fold(sampleDecider, history))
          if (isRejection(decision)) throw new Error('Nothing is refused')
          history.push(...decision)
        }
        const life = [planned, seeded, asked, removed].map(({ type }) => type)
        expect(history.map(({ type }) => type)).toEqual(life.slice(0, history.length))
      }),
    )
  })
})
