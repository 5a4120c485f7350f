import type { ComposedApp } from '#main/compose.ts'
import type { DomainEvent } from '#eventstore/event.ts'
import { PracticeId } from '#contracts/values/ids.ts'
import { patientCountsProjection, patientsProjection, patientWordsProjection } from '#modules/patients/projection.ts'
import { type AnyProjection, applyEvent, type Rows } from '#projections/projection.ts'
import { sealRows } from '#projections/sealed-columns.ts'
import { buildStatements } from '#projections/tables.ts'
import { createClient } from '#tests/support/client.ts'
import { recordedEvent } from '#tests/support/events.ts'
import { newOwner } from '#tests/support/practice.ts'
import { generatePatients } from './generated-patients.ts'
import { measure, type Timing } from './timing.ts'

type Services = Pick<ComposedApp['services'], 'pool' | 'keyStore'>

/** Search terms by kind. The first is the reference for the speed of the search. */
export const searchTerms = {
  'misspelled last name': 'Hoper',
  'last name': 'Hopper',
  'very common name': 'Smith',
  'two names': 'smith mar',
  'first letters': 'zim',
  'one letter': 'h',
  'part of a phone': '617 555',
  'part of an e-mail': 'smith1003',
  'birth date': '2/24/1996',
}

/** Measures searches over HTTP among 1,000, 10,000 and 100,000 patients: the first 20 hits, with one and eight clients. */
export async function benchSearch(url: string, app: ComposedApp, seconds: number): Promise<Timing[]> {
  const rows: Timing[] = []
  for (const size of [1_000, 10_000, 100_000]) {
    const { client, practice } = await newOwner({ newClient: () => createClient(url) })
    await fillPatients(app.services, PracticeId.parse(practice.id), size)
    for (const [kind, search] of Object.entries(searchTerms)) {
      const path = `/api/patients?limit=20&search=${encodeURIComponent(search)}`
      const find = async () => {
        const { status } = await client.get(path)
        if (status !== 200) throw new Error(`a search replied ${status}`)
      }
      const clients = kind === 'misspelled last name' ? [1, 8, 32] : [1]
      for (const count of clients) rows.push(await measure(`${size} patients: ${kind}`, count, seconds, find))
    }
  }
  return rows
}

const searchModels: readonly AnyProjection[] = [patientsProjection, patientWordsProjection, patientCountsProjection]

/** Fills the read models of a practice with patients through their folds, without storing events. */
export const fillPatients = (services: Services, practiceId: PracticeId, count: number): Promise<void> =>
  fillModels(services, searchModels, practiceId, generatePatients(practiceId, count))

/** Folds events into read models without storing them. */
export async function fillModels(
  { pool, keyStore }: Services,
  models: readonly AnyProjection[],
  practiceId: PracticeId,
  events: Iterable<DomainEvent & { at?: string }>,
): Promise<void> {
  const tables = models.map((model) => ({ model, rows: new Map() as Rows }))
  for (const { at, ...event } of events) {
    const recorded = recordedEvent(event, { metadata: { practiceId, ...(at === undefined ? {} : { at }) } })
    for (const { model, rows } of tables) applyEvent(model, rows, recorded)
  }
  for (const { model, rows } of tables) {
    const all = [...rows.values()].filter((row) => row !== null)
    for (let from = 0; from < all.length; from += 2_000) {
      const sealed = await sealRows(model, all.slice(from, from + 2_000), keyStore)
      await pool.query(buildStatements(model).save, [JSON.stringify(sealed)])
    }
  }
  // As autovacuum would do within a minute.
  for (const { model } of tables) await pool.query(`vacuum analyze read.${model.name}`)
}
