import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { formatEvent } from '#cli/search-events.ts'
import { listEventSchemas } from '#main/event-versions.ts'
import { modules } from '#main/modules.ts'
import { getEventType, mapVersionsByType } from '#eventstore/event-schemas.ts'
import { collectPhiFields } from '#encryption/phi-fields.ts'
import { recordedEvent } from '#tests/support/events.ts'

type Stored = { type: string; version?: number; data: Record<string, unknown> }

const folder = path.join(import.meta.dirname, '../golden')
const schemas = listEventSchemas(modules)
const today = new Map(schemas.flatMap((schema) => [...mapVersionsByType(schema)]))
const examples = readdirSync(folder)
  .filter((name) => name.endsWith('.json') && name !== 'schemas.json')
  .flatMap((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Stored[])
  .filter(({ type, version = 1 }) => today.get(type) === version)

it('shows an auditor every event type without data that identifies a patient', () => {
  expect(new Set(examples.map(({ type }) => type))).toEqual(new Set(schemas.map(getEventType)))
  const fields = collectPhiFields(schemas)
  for (const { type, data } of examples) {
    const shown = JSON.parse(formatEvent(recordedEvent({ type, data }), false)).data as Record<string, unknown>
    expect([type, shown]).toEqual([type, expect.objectContaining({})])
    const taken = fields.get(type)?.split(data)
    // Field by field: plain values are shown unchanged, PHI is not shown at all.
    const hidden = (taken?.phi ?? {}) as Record<string, unknown>
    for (const [name, value] of Object.entries(data)) if (!(name in hidden)) expect(shown[name]).toEqual(value)
    for (const [name, value] of Object.entries(hidden))
      expect([type, name, shown[name]]).not.toEqual([type, name, value])
  }
})
