import type { Safeguards } from '#contracts/safeguards.ts'

type Evidence<Name extends Exclude<keyof Safeguards, 'checkedAt'>> = Omit<Safeguards[Name], 'isActive'>

/** The evidence of each safeguard, before it is decided which of them hold. */
export type SafeguardEvidence = {
  dataEncryption: Evidence<'dataEncryption'>
  auditLogging: Evidence<'auditLogging'>
  accessControls: Evidence<'accessControls'>
  secureTransmission: Evidence<'secureTransmission'>
}

/** Decides from the evidence which safeguards hold: each needs all of its conditions. */
export function assessSafeguards(evidence: SafeguardEvidence, checkedAt: string): Safeguards {
  const { dataEncryption, auditLogging, accessControls, secureTransmission } = evidence
  return {
    checkedAt,
    dataEncryption: {
      isActive:
        dataEncryption.patientsWithKey === dataEncryption.patients &&
        (dataEncryption.newestRecord === 'encrypted' || dataEncryption.newestRecord === 'none'),
      ...dataEncryption,
    },
    auditLogging: {
      isActive:
        auditLogging.recordedSince !== null &&
        auditLogging.refusesChanges &&
        auditLogging.isOwnerSeparate &&
        auditLogging.isUndamaged,
      ...auditLogging,
    },
    accessControls: {
      // Where it is required, a member without it can open nothing else.
      isActive: accessControls.isTwoFactorRequired || accessControls.membersWithTwoFactor === accessControls.members,
      ...accessControls,
    },
    secureTransmission: {
      isActive:
        secureTransmission.isHttps &&
        secureTransmission.database !== 'plain' &&
        secureTransmission.eventStore !== 'plain',
      ...secureTransmission,
    },
  }
}
