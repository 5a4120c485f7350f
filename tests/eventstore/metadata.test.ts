import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listEventSchemas } from '#main/event-versions.ts'
import { modules } from '#main/modules.ts'
import { Metadata, type Recorded, getSchemaVersion } from '#eventstore/event.ts'
import { getEventType } from '#eventstore/event-schemas.ts'
import { patientsProjection } from '#modules/patients/projection.ts'
import { recordSkip } from '#projections/skips.ts'
import { importFile, importOf, settled } from '#tests/modules/patients/import/import-fixtures.ts'
import { newClinic } from '#tests/modules/patients/clinic.ts'
import { readAllEvents } from '#tests/support/events.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { newOwner, practiceDetails } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

/** Runs a day of a practice over HTTP and by jobs, then checks the metadata of every event that was written. */
describe('event metadata', () => {
  let app: TestApp
  let events: Recorded[]
  let owner: Awaited<ReturnType<typeof newOwner>>
  let importId: string
  const correlationId = '11111111-2222-4333-8444-555555555555'

  const firstProviders = async () =>
    (await readAllEvents(app.services.store)).filter(
      ({ type, metadata: { actor } }) =>
        type === 'ProviderAdded' && actor.kind === 'process' && actor.name === 'first-provider',
    )

  beforeAll(async () => {
    app = await startTestApp({ trustedProxies: 1 })
    owner = await newOwner(app)
    const { client, registration } = owner
    await client.post('/api/practices/setup', { ...practiceDetails, phone: '(617) 555-0142', selectedPlan: 'starter' })
    await client.post('/api/login', { email: registration.email, password: 'not the password' })
    await client.post('/api/logout')
    await client.post('/api/login', { email: registration.email, password: registration.password })

    const body = { firstName: 'Ann', lastName: 'Lee', dateOfBirth: '1990-01-01' }
    const { id } = (await client.request('POST', '/api/patients', body, { 'x-correlation-id': correlationId })).body
    const change = (fields: object) => client.patch(`/api/patients/${id}`, fields)
    await change({ lastName: 'Li', phone: '(617) 555-0143', notes: 'n', medicalHistory: 'h', allergies: ['a'] })
    await change({ medications: [{ name: 'm' }], emergencyContact: { name: 'B' }, insuranceInfo: { provider: 'P' } })
    await change({ deceasedOn: '2020-01-01' })
    await change({ deceasedOn: null })
    await client.delete(`/api/patients/${id}`)
    await client.patch('/api/account/profile', { lastName: 'Okonkwo' })

    const [heading, ...rows] = importOf(3).split('\n')
    importId = await importFile(client, [`${heading},Shoe size`, ...rows.map((row) => `${row},38`)].join('\n'))
    await settled(client, importId)
    await client.post(`/api/patients/import/${importId}/undo`)
    await settled(client, importId)
    const { store } = app.services
    // The job that creates the owner's provider may run later.
    await waitUntil(async () => (await firstProviders()).length > 0)
    const [first] = await readAllEvents(store)
    await recordSkip(store, patientsProjection.name, first as Recorded, { by: 'operator', why: 'a test' })
    await newClinic(app)
    events = await readAllEvents(store)
  })
  afterAll(() => app.dispose())

  it('has the closed type in every event', () => {
    for (const { metadata } of events) expect(Metadata.parse(metadata)).toEqual(metadata)
    const causedByFailures = /(Released|Abandoned|GivenUp|Resumed)$/
    const usedModules = modules.filter(({ name }) => ['accounts', 'practices', 'patients'].includes(name))
    const all = listEventSchemas(usedModules).map(getEventType)
    // Events of the engine, of samples, of passwords, of changed and confirmed addresses, of second factors, of passkeys and of
    // locks after wrong attempts have tests of their own.
    const testedElsewhere = new Set([
      'JobDropped',
      'SamplePatientKept',
      'PasswordResetRequested',
      'PasswordReset',
      'PasswordChanged',
      'PasswordRefused',
      'TwoFactorEnabled',
      'TwoFactorDisabled',
      'RecoveryCodeUsed',
      'RecoveryCodesReplaced',
      'EmailChangeRequested',
      'EmailChanged',
      'EmailProofRequested',
      'EmailProved',
      'TwoFactorReset',
      'PasskeyAdded',
      'PasskeyRemoved',
      'PasskeysReset',
      'PasskeyUsed',
      'PasskeyRefused',
      'SignInCodeMissing',
      'CodeRefused',
      'AttemptsLocked',
    ])
    const seen = new Set(events.map(({ type }) => type))
    // Add a new event of these modules to the day above, unless only a failure causes it.
    expect(all.filter((type) => !seen.has(type) && !causedByFailures.test(type) && !testedElsewhere.has(type))).toEqual(
      [],
    )
  })

  it('contains the current schema version', () => {
    const current = new Map(listEventSchemas(modules).map((schema) => [getEventType(schema), getSchemaVersion(schema)]))
    for (const { type, metadata } of events) expect([type, metadata.schemaVersion]).toEqual([type, current.get(type)])
  })

  it('contains the actor: the user with their role, or the process by name', () => {
    const userId = owner.user.id
    const own = events.filter(({ metadata }) => metadata.practiceId === owner.practice.id)
    expect(own.length).toBeGreaterThan(15)
    const byPeople = own.filter(({ type }) => type !== 'ProviderAdded')
    for (const { metadata } of byPeople)
      expect(metadata.actor).toEqual({ kind: 'user', userId, role: expect.any(String) })
    const processes = events.flatMap(({ metadata: { actor } }) => (actor.kind === 'process' ? actor.name : []))
    expect([...new Set(processes)].toSorted()).toEqual(['first-provider', 'projections', 'visitor'])
  })

  it('contains the practice of every event that belongs to one', () => {
    const outside = /^(Email|Username|User|Registration|Signed|SignIn|ReadModel)/
    for (const { type, metadata } of events)
      expect([type, metadata.practiceId === null]).toEqual([type, outside.test(type) && metadata.practiceId === null])
  })

  it('contains the time of the clock, not after the recording time', () => {
    for (const { metadata, recordedAt } of events) {
      expect(metadata.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      expect(Date.parse(metadata.at)).toBeLessThanOrEqual(Date.parse(recordedAt) + 1_000)
    }
  })

  it('contains the correlation id of the request, also in events of the jobs that it caused', () => {
    const registered = events.find(({ metadata }) => metadata.correlationId === correlationId)
    expect([registered?.type, registered?.metadata.causationId]).toEqual(['PatientRegistered', correlationId])
    const [asked] = events.filter(({ type, data }) => type === 'ImportRequested' && data['importId'] === importId)
    const led = events.filter(({ metadata }) => metadata.causationId === asked?.id)
    expect(led.map(({ type }) => type).toSorted()).toEqual(
      ['ImportFinished', 'ImportProgressed', 'PatientRegistered', 'PatientRegistered', 'PatientRegistered'].toSorted(),
    )
    const [setUp] = events.filter(({ type }) => type === 'PracticeSetUp')
    const [provider] = events.filter(({ metadata }) => metadata.causationId === setUp?.id)
    expect(provider?.type).toBe('ProviderAdded')
    expect(provider?.metadata.correlationId).toBe(setUp?.metadata.correlationId)
    for (const { metadata } of led) {
      expect(metadata.correlationId).toBe(asked?.metadata.correlationId)
      expect(metadata.actor).toEqual(asked?.metadata.actor)
    }
  })
})
