import { describe, expect, it } from 'vitest'
import type { Safeguards } from '#contracts/safeguards.ts'
import { describeSafeguards } from '#web/features/settings/security/describe-safeguards.ts'

const sound: Safeguards = {
  checkedAt: '2026-11-23T12:00:00.000Z',
  dataEncryption: { isActive: true, patients: 1_248, patientsWithKey: 1_248, newestRecord: 'encrypted' },
  auditLogging: {
    isActive: true,
    recordedSince: '2026-11-20T08:00:00.000Z',
    refusesChanges: true,
    isOwnerSeparate: true,
    isUndamaged: true,
  },
  accessControls: {
    isActive: true,
    members: 2,
    membersWithTwoFactor: 2,
    isTwoFactorRequired: false,
    sessionTimeout: 30,
  },
  secureTransmission: {
    isActive: true,
    address: 'https://practice.example',
    isHttps: true,
    database: 'encrypted',
    eventStore: 'encrypted',
    mail: 'smtp',
  },
}

/** Returns what is missing, by safeguard. */
const missing = (safeguards: Safeguards) =>
  describeSafeguards(safeguards, (instant) => instant).map(({ findings }) =>
    findings.flatMap(({ isMet, text }) => (isMet ? [] : [text])),
  )

describe('the evidence of the safeguards', () => {
  it('has the labels of the specification, and nothing missing when all hold', () => {
    const described = describeSafeguards(sound, (instant) => instant)
    expect(described.map(({ label }) => label)).toEqual([
      'Data Encryption',
      'Audit Logging',
      'Access Controls',
      'Secure Transmission',
    ])
    expect(missing(sound)).toEqual([[], [], [], []])
    expect(described[0]?.findings[0]?.text).toBe('1,248 patients have their own keys, protected by the master key.')
  })

  it('says what is missing of each', () => {
    const { dataEncryption, auditLogging, accessControls, secureTransmission } = sound
    const found = missing({
      ...sound,
      dataEncryption: { ...dataEncryption, isActive: false, patientsWithKey: 1_247, newestRecord: 'plain' },
      auditLogging: {
        ...auditLogging,
        isActive: false,
        recordedSince: null,
        refusesChanges: false,
        isOwnerSeparate: false,
        isUndamaged: false,
      },
      accessControls: { ...accessControls, isActive: false, membersWithTwoFactor: 1 },
      secureTransmission: {
        ...secureTransmission,
        isActive: false,
        address: 'http://192.0.2.7:3000',
        isHttps: false,
        database: 'plain',
        eventStore: 'plain',
      },
    })
    expect(found.map(({ length }) => length)).toEqual([2, 4, 1, 3])
    expect(found[0]?.[0]).toMatch(/^1 patient has no usable key\./)
    expect(found[2]?.[0]).toMatch(/^1 of 2 people use two-factor sign-in\. Require it/)
    expect(found[3]?.[0]).toMatch(/http:\/\/192\.0\.2\.7:3000\. .*PUBLIC_URL/)
  })

  it('says how it is without records, mail server and event store of its own', () => {
    const { dataEncryption, accessControls, secureTransmission } = sound
    const described = describeSafeguards(
      {
        ...sound,
        dataEncryption: { ...dataEncryption, patients: 0, patientsWithKey: 0, newestRecord: 'none' },
        accessControls: { ...accessControls, membersWithTwoFactor: 1, isTwoFactorRequired: true, sessionTimeout: 120 },
        secureTransmission: { ...secureTransmission, database: 'local', eventStore: 'in-database', mail: 'outbox' },
      },
      (instant) => instant,
    )
    const texts = described.flatMap(({ findings }) => findings.map(({ text }) => text))
    expect(described.flatMap(({ findings }) => findings).every(({ isMet }) => isMet)).toBe(true)
    expect(texts).toContain('There are no records yet. The first one gets its key when it is saved.')
    expect(texts).toContain('1 of 2 people use two-factor sign-in. It is required: without it, no record opens.')
    expect(texts).toContain('Unused sessions end after 2 hours.')
    expect(texts).toContain('No mail server is set up: messages stay on this machine.')
    expect(texts.join(' ')).not.toContain('event store')
  })
})
