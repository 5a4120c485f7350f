import type { PatientId, PracticeId } from '#contracts/values/ids.ts'
import { listDamagedTables } from '#database/damaged-pages.ts'
import { inspectProtection } from '#database/protection.ts'
import { getEncryptedSubject } from '#encryption/encrypted-event.ts'
import type { Recorded } from '#eventstore/event.ts'
import { StoreUnavailable } from '#eventstore/event-store.ts'
import { countMembers } from '#modules/accounts/public.ts'
import type { Services } from '#modules/module.ts'
import { findKeyCoverage, getPatientStream } from '#modules/patients/public.ts'
import { loadSecuritySettings } from '#modules/practices/public.ts'
import type { SafeguardEvidence } from './assess.ts'
import { safeguardSettings } from './settings.ts'

/** Collects what the safeguards of a practice rest on, in a number of queries that does not depend on its size. */
export async function collectEvidence(services: Services, practiceId: PracticeId): Promise<SafeguardEvidence> {
  const { db, pool, clock, mail } = services
  const [coverage, settings, members, protection, damaged] = await Promise.all([
    findKeyCoverage(db, practiceId),
    loadSecuritySettings(services, practiceId),
    countMembers(db, practiceId, clock()),
    inspectProtection(pool),
    listDamagedTables(pool),
  ])
  const { address, eventStore } = safeguardSettings.read(services)
  const { patients, patientsWithKey, newestId } = coverage
  return {
    dataEncryption: { patients, patientsWithKey, newestRecord: await inspectNewestRecord(services, newestId) },
    auditLogging: {
      recordedSince: settings.since,
      // An external event store has no operation that changes an event.
      refusesChanges: eventStore === 'in-database' ? protection.refusesChanges : true,
      isOwnerSeparate: eventStore === 'in-database' ? !protection.isOwner : true,
      isUndamaged: !damaged.some(({ table }) => table.startsWith('es.')),
    },
    accessControls: {
      members: members.total,
      membersWithTwoFactor: members.withTwoFactor,
      isTwoFactorRequired: settings.requireTwoFactor,
      sessionTimeout: settings.sessionTimeout,
    },
    secureTransmission: {
      address,
      isHttps: address.startsWith('https://'),
      database: protection.connection,
      eventStore,
      mail: mail.kind,
    },
  }
}

type RecordState = SafeguardEvidence['dataEncryption']['newestRecord']

/** Compares the registration of the newest patient as it is stored with what its key makes of it. */
async function inspectNewestRecord(services: Services, patientId: PatientId | null): Promise<RecordState> {
  if (patientId === null) return 'none'
  const stream = getPatientStream(patientId)
  const stored = await readFirst(services.readStored(stream))
  if (!stored) return 'unreadable'
  if (getEncryptedSubject(stored) !== patientId || stored.data['lastName'] !== null) return 'plain'
  try {
    const opened = await readFirst(services.store.read(stream))
    return typeof opened?.data['lastName'] === 'string' ? 'encrypted' : 'unreadable'
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    return 'unreadable'
  }
}

async function readFirst(events: AsyncIterable<Recorded>): Promise<Recorded | undefined> {
  for await (const event of events) return event
  return undefined
}
