import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { documentedVariables, readConfig } from '#main/config.ts'

const text = readFileSync('docker-compose.yml', 'utf8')
const compose: unknown = parse(text)
const service = z.object({
  image: z.string(),
  build: z.string().optional(),
  user: z.string().optional(),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string()).optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  ports: z.array(z.string()).optional(),
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
  const { app, ...others } = services
  expect(app?.build).toBe('.')
  for (const { image } of Object.values(others)) expect(image).toMatch(/^[a-z/]+:\d+\.\d+(\.\d+)?(-[a-z]+)*$/)
})

test('the app runs as a user without privileges, who cannot change its files', () => {
  expect(services['app']).toMatchObject({
    user: 'node',
    read_only: true,
    tmpfs: ['/tmp'],
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    volumes: ['app-data:/data'],
  })
  const stages = readFileSync('Dockerfile', 'utf8')
    .split(/^(?=FROM )/m)
    .slice(1)
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: { node: string } }
  for (const stage of stages) expect(stage).toMatch(new RegExp(`^FROM node:${dependencies.node}-`))
  const last = stages.at(-1) ?? ''
  expect(last).toMatch(/^USER node$/m)
  // After the last change of the image, which needs root.
  expect(last.indexOf('\nUSER ')).toBeGreaterThan(last.lastIndexOf('\nRUN '))
  expect(last).not.toContain('--chown')
})

test('it is reachable from this machine only, and its public address never falls back to one without TLS', () => {
  expect(services['app']?.ports).toEqual(['127.0.0.1:3000:3000'])
  expect(services['app']?.environment).toMatchObject({
    PUBLIC_URL: '${PUBLIC_URL:?set PUBLIC_URL}',
    ALLOW_INSECURE: '${ALLOW_INSECURE:-}',
  })
  const started = (settings: Record<string, string>) =>
    readConfig({
      HOST: services['app']?.environment['HOST'],
      NODE_ENV: 'production',
      SESSION_SECRET: 'x'.repeat(32),
      MASTER_KEY: Buffer.alloc(32).toString('base64'),
      ...settings,
    })
  expect(() => started({ PUBLIC_URL: 'http://localhost:3000' })).toThrow(/^HOST 0\.0\.0\.0 lets other machines in/)
  expect(started({ PUBLIC_URL: 'http://localhost:3000', ALLOW_INSECURE: '1' }).production).toBe(true)
  expect(started({ PUBLIC_URL: 'https://practice.example' }).production).toBe(true)
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
  const { DATABASE_URL, OWNER_DATABASE_URL } = services['app']?.environment ?? {}
  expect(DATABASE_URL).toContain('everchart_app:${POSTGRES_APP_PASSWORD:?')
  expect(OWNER_DATABASE_URL).toContain('everchart:${POSTGRES_PASSWORD:?')
})
