import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { encryptedStore } from '#encryption/encrypted-store.ts'
import { event, eventAbout, phi } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { foldAsOf } from '#projections/as-of.ts'
import { defineProjection } from '#projections/projection.ts'
import { rebuild } from '#projections/rebuild/rebuild.ts'
import { createProjectionRunner } from '#projections/runner/runner.ts'
import { openFields } from '#projections/sealed-columns.ts'
import { compareWithShadow, type Difference } from '#projections/verify/differences.ts'
import { verifyProjection } from '#projections/verify/verify.ts'
import { collectEventSchemas } from '#eventstore/event-schemas.ts'
import { endlessTimeouts } from '#tests/support/endless-timeouts.ts'
import { newEvent } from '#tests/support/events.ts'
import { createMemoryKeyStore } from '#tests/support/memory-key-store.ts'
import { useRebuildFixture } from '#tests/support/rebuild-fixture.ts'
import { itLong } from '#tests/support/long.ts'

const about = eventAbout('patientId')
const text = z.string().nullable()
const ChartEvent = z.discriminatedUnion('type', [
  about('ChartOpened', { chartId: z.uuid(), patientId: z.uuid(), note: phi(text), tags: phi(z.array(z.string())) }),
  about('ChartNoteChanged', { chartId: z.uuid(), patientId: z.uuid(), note: phi(text) }),
  event('ChartLocked', { chartId: z.uuid() }),
])
type ChartEvent = z.infer<typeof ChartEvent>
type ChartRow = { id: string; patient_id: string; note: string | null; tags: string[]; locked: boolean }

const charts = defineProjection<ChartEvent, ChartRow>({
  name: 'charts',
  version: 1,
  columns: { id: 'uuid', patient_id: 'uuid', note: 'text', tags: 'text[]', locked: 'bool' },
  key: 'id',
  sealed: { subject: 'patient_id', columns: ['note', 'tags'] },
  rowOf: ({ data }) => data.chartId,
  on: {
    ChartOpened: (_, { data: { chartId, patientId, note, tags } }) => ({
      id: chartId,
      patient_id: patientId,
      note,
      tags,
      locked: false,
    }),
    ChartNoteChanged: (row, { data }) => row && { ...row, note: data.note },
    ChartLocked: (row) => row && { ...row, locked: true },
  },
})

const logger = pino({ level: 'silent' })
const fields = { note: 'note', tags: 'tags' }

describe('sealed columns', () => {
  const fixture = useRebuildFixture()
  let keyStore: ReturnType<typeof createMemoryKeyStore>
  let store: EventStore
  let stop: () => Promise<void>
  const [chartId, patientId] = [randomUUID(), randomUUID()]
  const opened = newEvent('ChartOpened', { chartId, patientId, note: 'Kranzitis', tags: ['Latex', 'Milk'] })

  const append = async (revision: bigint | 'no-stream', ...events: ReturnType<typeof newEvent>[]) =>
    await store.append(`chart-${chartId}`, revision, events)

  async function startRunner() {
    const engine = { store, keyStore, pool: fixture.pool }
    const runner = createProjectionRunner({
      ...engine,
      projections: [charts],
      logger,
      catchUpTimeoutMs: endlessTimeouts.catchUpMs,
    })
    await runner.start()
    stop = runner.stop
    return {
      engine,
      catchUp: async () => void (await runner.waitUntilCaughtUp(['ChartOpened'], (await store.head()) ?? '')),
    }
  }
  const readRows = async () =>
    (await fixture.pool.query<Record<'id' | 'patient_id' | 'note' | 'tags', string>>('select * from read.charts')).rows
  const open = async () =>
    await openFields(keyStore, await readRows(), fields, (row) => ({ key: row.id, subject: row.patient_id }))

  beforeEach(() => {
    keyStore = createMemoryKeyStore()
    store = encryptedStore(fixture.store, keyStore, collectEventSchemas(ChartEvent))
    stop = async () => undefined
  })
  afterEach(() => stop())

  it('stores values encrypted, and opens them with the key of their subject', async () => {
    const { catchUp } = await startRunner()
    await append('no-stream', opened)
    await catchUp()
    const [row] = await readRows()
    expect(row?.note).toMatch(/^1:[A-Za-z0-9+/]+=*$/)
    expect(JSON.stringify(row)).not.toMatch(/Kranzitis|Latex/)
    expect(await open()).toEqual([
      { id: chartId, patient_id: patientId, note: 'Kranzitis', tags: ['Latex', 'Milk'], locked: false },
    ])
  })

  it('keeps values without their key, and replaces them', async () => {
    const { catchUp } = await startRunner()
    await append('no-stream', opened)
    await catchUp()
    const [before] = await readRows()
    await append(0n, newEvent('ChartLocked', { chartId }))
    await catchUp()
    expect(await readRows()).toEqual([{ ...before, locked: true }])
    await append(1n, newEvent('ChartNoteChanged', { chartId, patientId, note: null }))
    await catchUp()
    expect(await open()).toMatchObject([{ note: null, tags: ['Latex', 'Milk'] }])
  })

  itLong('has equal bytes after live updates and a rebuild, so that verify and diff need not decrypt', async () => {
    const { engine, catchUp } = await startRunner()
    await append('no-stream', opened)
    await catchUp()
    await append(0n, newEvent('ChartLocked', { chartId }))
    await catchUp()
    expect(await verifyProjection(engine, charts)).toMatchObject({ rows: 1, differences: 0 })
    const live = await readRows()
    const differences: Difference[] = []
    const confirm = async () => (await compareWithShadow(engine, charts, (found) => differences.push(found))) === 0
    expect(await rebuild(engine, charts, { confirm })).toMatchObject({ status: 'done' })
    expect(differences).toEqual([])
    expect(await readRows()).toEqual(live)
    const asOf = await foldAsOf(store, charts, `chart-${chartId}`, { position: (await store.head()) ?? '' })
    expect(asOf.get(chartId)).toMatchObject({ note: 'Kranzitis', locked: true })
  })

  it('verify notices a changed value', async () => {
    const { engine, catchUp } = await startRunner()
    await append('no-stream', opened)
    await catchUp()
    await fixture.pool.query(`update read.charts set note = tags`)
    expect(await verifyProjection(engine, charts)).toMatchObject({ differences: 1 })
    await expect(open()).rejects.toThrow('does not belong to its row')
  })

  it('is unreadable once the key is destroyed, also in a rebuild', async () => {
    const { engine, catchUp } = await startRunner()
    await append('no-stream', opened)
    await catchUp()
    keyStore.destroy(patientId)
    expect(await open()).toMatchObject([{ note: null, tags: null }])
    expect(await rebuild(engine, charts)).toMatchObject({ status: 'done' })
    expect(await readRows()).toMatchObject([{ note: null, tags: null }])
    expect(await verifyProjection(engine, charts)).toMatchObject({ differences: 0 })
  })

  itLong('encrypts what events from before encryption contain in clear', async () => {
    const { catchUp } = await startRunner()
    await fixture.store.append(`chart-${chartId}`, 'no-stream', [opened])
    await catchUp()
    expect(JSON.stringify(await readRows())).not.toContain('Kranzitis')
    expect(await open()).toMatchObject([{ note: 'Kranzitis' }])
  })

  itLong('leaves no table in clear after an upgrade from a version without them', async () => {
    const { sealed: _, ...inClear } = { ...charts, version: 0 }
    const before = createProjectionRunner({ store, pool: fixture.pool, projections: [inClear], logger })
    await append('no-stream', opened)
    await before.start()
    expect(JSON.stringify(await readRows())).toContain('Kranzitis')
    await before.stop()
    await startRunner()
    const { rows } = await fixture.pool.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'read' and tablename like 'charts%'`,
    )
    expect(rows).toEqual([{ name: 'charts' }])
    expect(await open()).toMatchObject([{ note: 'Kranzitis' }])
  })

  itLong('leaves no table in clear after the upgrade of a projection that gave up its clear columns', async () => {
    const { sealed: _, ...inClear } = { ...charts, version: 0 }
    const withoutText = { ...inClear, version: 1, isPreviousInClear: true } as const
    await append('no-stream', opened)
    for (const each of [inClear, withoutText]) {
      const runner = createProjectionRunner({ store, pool: fixture.pool, projections: [each], logger })
      await runner.start()
      await runner.stop()
    }
    const { rows } = await fixture.pool.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'read' and tablename like 'charts%'`,
    )
    expect(rows).toEqual([{ name: 'charts' }])
  })
})
