import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listEventSchemas } from '#main/event-versions.ts'
import { modules } from '#main/modules.ts'
import { Metadata, type Recorded, getSchemaVersion } from '#eventstore/event.ts'
import { getEventType } from '#eventstore/event-schemas.ts'
import { patientsProjection } from '#modules/patients/projection.ts'
import { recordSkip } from '#projections/skips.ts'
import { importFile, importOf, settled } from '#tests/modules/patients/import/importing.ts'
import { newClinic } from '#tests/modules/patients/clinic.ts'
import { readAllEvents } from '#tests/support/events.ts'
import { waitUntil } from '#tests/support/until.ts'
import { newOwner, practiceDetails } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

/** A day in a practice, over HTTP and by jobs; then every event that was written is asked who, why, when and where. */
describe('what stands beside every event', () => {
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
    app = await startTestApp()
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

    importId = await importFile(client, importOf(3))
    await settled(client, importId)
    await client.post(`/api/patients/import/${importId}/undo`)
    await settled(client, importId)
    const { store } = app.services
    // The job that makes the owner a provider may come a moment later.
    await waitUntil(async () => (await firstProviders()).length > 0)
    const [first] = await readAllEvents(store)
    await recordSkip(store, patientsProjection.name, first as Recorded, { by: 'operator', why: 'a test' })
    await newClinic(app)
    events = await readAllEvents(store)
  })
  afterAll(() => app.dispose())

  it('is of the closed type, in every event there is', () => {
    for (const { metadata } of events) expect(Metadata.parse(metadata)).toEqual(metadata)
    const ofMishaps = /(Released|Abandoned|GivenUp|Resumed)$/
    const busy = modules.filter(({ name }) => ['accounts', 'practices', 'patients'].includes(name))
    const all = listEventSchemas(busy).map(getEventType)
    // The engine's own facts are no part of a practice's day; this one has a test beside its tool. Samples have theirs.
    const elsewhere = new Set(['JobDropped', 'SamplePatientKept'])
    const seen = new Set(events.map(({ type }) => type))
    // A new event of these nouns belongs into the day above, unless it follows from a mishap alone.
    expect(all.filter((type) => !seen.has(type) && !ofMishaps.test(type) && !elsewhere.has(type))).toEqual([])
  })

  it('is the version the event is written in today', () => {
    const today = new Map(listEventSchemas(modules).map((schema) => [getEventType(schema), getSchemaVersion(schema)]))
    for (const { type, metadata } of events) expect([type, metadata.schemaVersion]).toEqual([type, today.get(type)])
  })

  it('is who: the person with their role, or the process, by name', () => {
    const userId = owner.user.id
    const own = events.filter(({ metadata }) => metadata.practiceId === owner.practice.id)
    expect(own.length).toBeGreaterThan(15)
    const byPeople = own.filter(({ type }) => type !== 'ProviderAdded')
    for (const { metadata } of byPeople)
      expect(metadata.actor).toEqual({ kind: 'user', userId, role: expect.any(String) })
    const processes = events.flatMap(({ metadata: { actor } }) => (actor.kind === 'process' ? actor.name : []))
    expect([...new Set(processes)].toSorted()).toEqual(['first-provider', 'projections', 'visitor'])
  })

  it('is where: the practice, for everything that happens in one', () => {
    const outside = /^(Email|Username|User|Registration|Signed|SignIn|ReadModel)/
    for (const { type, metadata } of events)
      expect([type, metadata.practiceId === null]).toEqual([type, outside.test(type) && metadata.practiceId === null])
  })

  it('is when: the instant of the clock, not after it was written', () => {
    for (const { metadata, recordedAt } of events) {
      expect(metadata.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      expect(Date.parse(metadata.at)).toBeLessThanOrEqual(Date.parse(recordedAt) + 1_000)
    }
  })

  it('is why: the request that everything of one action shares, also in what a job did for it later', () => {
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
