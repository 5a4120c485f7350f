import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { documentedVariables } from '#main/config.ts'

const text = readFileSync('docker-compose.yml', 'utf8')
const compose: unknown = parse(text)
const service = z.object({
  image: z.string(),
  environment: z.record(z.string(), z.string()),
  volumes: z.array(z.string()),
  depends_on: z.record(z.string(), z.unknown()).optional(),
  healthcheck: z.object({ test: z.array(z.string()) }),
})
const { services, volumes } = z
  .object({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.null()) })
  .parse(compose)

/** Returns a validator for the schema of the Compose specification (Apache 2.0). */
function composeSchema() {
  const { $schema: _, ...schema } = JSON.parse(readFileSync('tests/fixtures/compose-spec.json', 'utf8'))
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats.default(ajv)
  return ajv.compile(schema)
}

test('docker-compose.yml matches the Compose specification', () => {
  const check = composeSchema()
  check(compose)
  expect(check.errors).toBeNull()
  expect(check({ services: { app: { imagge: 'node' } } }), 'the schema finds a misspelling').toBe(false)
})

test('it runs PostgreSQL, KurrentDB and the app, each pinned to an exact version and with a health check', () => {
  expect(Object.keys(services).toSorted()).toEqual(['app', 'kurrentdb', 'postgres'])
  for (const { image } of Object.values(services)) expect(image).toMatch(/^[a-z/]+:\d+\.\d+(\.\d+)?(-[a-z]+)*$/)
})

test('it sets only variables of the app, and every file and volume it names exists', () => {
  const known = documentedVariables.map(({ name }) => name)
  expect(known).toEqual(expect.arrayContaining(Object.keys(services['app']?.environment ?? {})))
  for (const { volumes: mounts, depends_on: others = {} } of Object.values(services)) {
    for (const mount of mounts.filter((one) => !one.startsWith('.')))
      expect(volumes).toHaveProperty(mount.split(':')[0] ?? '')
    for (const other of Object.keys(others)) expect(services).toHaveProperty(other)
  }
})

test('it contains no secret: each comes from the environment and is required', () => {
  for (const name of ['POSTGRES_PASSWORD', 'SESSION_SECRET', 'MASTER_KEY', 'HASH_KEY']) {
    const values = Object.values(services).flatMap(({ environment }) => environment[name] ?? [])
    expect(values.length).toBeGreaterThan(0)
    for (const value of values) expect(value).toBe(`\${${name}:?set ${name}}`)
  }
  expect(services['app']?.environment['DATABASE_URL']).toContain('everchart:${POSTGRES_PASSWORD:?')
})
