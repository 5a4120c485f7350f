import fc from 'fast-check'
import { expect, it } from 'vitest'
import { assessSafeguards, type SafeguardEvidence } from '#modules/safeguards/assess.ts'

const sound: SafeguardEvidence = {
  dataEncryption: { patients: 3, patientsWithKey: 3, newestRecord: 'encrypted' },
  auditLogging: {
    recordedSince: '2026-11-20T08:00:00.000Z',
    refusesChanges: true,
    isOwnerSeparate: true,
    isUndamaged: true,
  },
  accessControls: { members: 2, membersWithTwoFactor: 2, isTwoFactorRequired: false, sessionTimeout: 30 },
  secureTransmission: {
    address: 'https://practice.example',
    isHttps: true,
    database: 'local',
    eventStore: 'in-database',
    mail: 'smtp',
  },
}
const checkedAt = '2026-11-23T12:00:00.000Z'

type Name = keyof SafeguardEvidence
const names = Object.keys(sound) as Name[]

/** Returns the safeguards that hold when one of them rests on other evidence. */
const holding = <Changed extends Name>(name?: Changed, change: Partial<SafeguardEvidence[Changed]> = {}) => {
  const evidence = name ? { ...sound, [name]: { ...sound[name], ...change } } : sound
  const assessed = assessSafeguards(evidence, checkedAt)
  return names.filter((each) => assessed[each].isActive)
}

it('holds with sound evidence, and passes it on', () => {
  expect(holding()).toEqual(names)
  expect(assessSafeguards(sound, checkedAt)).toMatchObject({ checkedAt, ...sound })
})

it.each<[Name, object]>([
  ['dataEncryption', { patientsWithKey: 2 }],
  ['dataEncryption', { newestRecord: 'plain' }],
  ['dataEncryption', { newestRecord: 'unreadable' }],
  ['auditLogging', { recordedSince: null }],
  ['auditLogging', { refusesChanges: false }],
  ['auditLogging', { isOwnerSeparate: false }],
  ['auditLogging', { isUndamaged: false }],
  ['accessControls', { membersWithTwoFactor: 1 }],
  ['secureTransmission', { isHttps: false }],
  ['secureTransmission', { database: 'plain' }],
  ['secureTransmission', { eventStore: 'plain' }],
])('%s alone needs action with %o', (name, change) => {
  expect(holding(name, change)).toEqual(names.filter((each) => each !== name))
})

it.each<[Name, object]>([
  ['dataEncryption', { patients: 0, patientsWithKey: 0, newestRecord: 'none' }],
  ['accessControls', { membersWithTwoFactor: 0, isTwoFactorRequired: true }],
  ['accessControls', { sessionTimeout: 120 }],
  ['secureTransmission', { database: 'encrypted', eventStore: 'encrypted', mail: 'outbox' }],
])('%s holds with %o', (name, change) => {
  expect(holding(name, change)).toEqual(names)
})

it('needs action while any member can do everything with a password alone', () => {
  const team = fc.record({ members: fc.nat(40), without: fc.nat(40), isTwoFactorRequired: fc.boolean() })
  fc.assert(
    fc.property(team, ({ members, without, isTwoFactorRequired }) => {
      const membersWithTwoFactor = Math.max(0, members - without)
      const isExposed = membersWithTwoFactor < members && !isTwoFactorRequired
      const change = { members, membersWithTwoFactor, isTwoFactorRequired }
      expect(holding('accessControls', change).includes('accessControls')).toBe(!isExposed)
    }),
  )
})
