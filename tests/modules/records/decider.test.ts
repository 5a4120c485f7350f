import { describe, expect, it } from 'vitest'
import { collectPhiFields } from '#encryption/phi-fields.ts'
import { reject } from '#eventstore/decider.ts'
import { collectEventSchemas } from '#eventstore/event-schemas.ts'
import { type RecordCommand, recordDecider } from '#modules/records/public.ts'
import { otherPracticeId, patientId, practiceId, today } from '#tests/modules/patients/patient-fixtures.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import { fields, referralEvents, referralId, subject } from './fixtures.ts'

const decider = recordDecider(referralEvents, {
  category: 'referral',
  noun: 'referral',
  rules: (command, { status }) =>
    command.type === 'Change' && status === 'sent' ? reject('already-sent', 'This referral was sent.') : undefined,
})
const given = deciderSpec(decider)

const created = { type: 'ReferralCreated', data: { ...subject, ...fields } } as const
const sent = { type: 'ReferralSent', data: { ...subject, specialist: 'Dr. Lee' } } as const
const create = { type: 'Create', id: referralId, practiceId, patientId, fields } as const
const edit = { practiceId, today } as const
const send = { type: 'Move', ...edit, event: 'ReferralSent', data: { specialist: 'Dr. Lee' } } as const
const cancel = { type: 'Move', ...edit, event: 'ReferralCancelled', data: {} } as const
type Fields = Extract<RecordCommand<(typeof referralEvents)['definition']>, { type: 'Create' }>['fields']
const change = (over: Partial<Fields>) => ({ type: 'Change', ...edit, change: over }) as const

describe('a record', () => {
  it('is created once', () => {
    given().when(create).then(created)
    given(created).when(create).thenNothing()
    given().when(send).thenRefused('not-found')
  })

  it('changes where it differs, and keeps what was before', () => {
    const data = { ...subject, from: { urgency: 'routine' }, to: { urgency: 'urgent' } } as const
    given(created)
      .when(change({ urgency: 'urgent', specialtyType: 'Cardiology' }))
      .then({ type: 'ReferralChanged', data })
    given(created).when(change(fields)).thenNothing()
    given(created, { type: 'ReferralChanged', data })
      .when(change({ urgency: 'urgent' }))
      .thenNothing()
  })

  it('moves between statuses as declared', () => {
    given(created).when(send).then(sent)
    given(created, sent).when(send).thenNothing()
    given(created, { type: 'ReferralCancelled', data: subject }).when(send).thenRefused('wrong-status')
  })

  it('follows the rules of its noun for commands that would change it', () => {
    given(created, sent)
      .when(change({ urgency: 'urgent' }))
      .thenRefused('already-sent')
    given(created, sent).when(change(fields)).thenNothing()
    given(created, sent).when(cancel).then({ type: 'ReferralCancelled', data: subject })
  })

  it('belongs to one practice', () => {
    given(created)
      .when({ ...send, practiceId: otherPracticeId })
      .thenRefused('not-found')
  })
})

it('has events whose declared fields are encrypted with the key of the patient, and no others', () => {
  const phiFields = collectPhiFields(collectEventSchemas(referralEvents.schema))
  const changed = { ...subject, from: { specialtyType: 'a', urgency: 'routine' }, to: { specialtyType: 'b' } }
  expect(phiFields.get('ReferralChanged')?.split(changed)).toEqual({
    plain: { ...subject, from: { specialtyType: null, urgency: 'routine' }, to: { specialtyType: null } },
    phi: { from: { specialtyType: 'a' }, to: { specialtyType: 'b' } },
  })
  expect(phiFields.get('ReferralCreated')?.getSubject({ ...created.data })).toBe(patientId)
  expect([...phiFields.keys()].toSorted()).toEqual(['ReferralChanged', 'ReferralCreated', 'ReferralSent'])
})

it('refuses events with unknown fields', () => {
  expect(decider.events.safeParse({ ...created, data: { ...created.data, diagnosis: 'x' } }).success).toBe(false)
  const changed = { ...subject, from: {}, to: { diagnosis: 'x' } }
  expect(decider.events.safeParse({ type: 'ReferralChanged', data: changed }).success).toBe(false)
})
