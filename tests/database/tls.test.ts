import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { separateTls } from '#database/tls.ts'

let folder: string
let authority: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'everchart-tls-'))
  authority = path.join(folder, 'ca.pem')
  await writeFile(authority, 'a certificate')
})
afterAll(() => rm(folder, { recursive: true }))

const database = 'postgres://me:x@db.example:5432/everchart'

describe('the parameters for TLS of an address', () => {
  it.each([
    ['', undefined],
    ['?sslmode=disable', undefined],
    ['?ssl=true', {}],
    ['?sslmode=require', {}],
    ['?sslmode=verify-full', {}],
    ['?sslmode=no-verify', { rejectUnauthorized: false }],
  ])('%s', (search, ssl) => {
    expect(separateTls(`${database}${search}`)).toEqual({ url: database, ssl })
  })

  it.each(['require', 'verify-ca', 'verify-full'])('%s with an authority', (mode) => {
    const { url, ssl } = separateTls(`${database}?sslmode=${mode}&sslrootcert=${authority}&application_name=a%20b`)
    expect([url, ssl]).toEqual([`${database}?application_name=a%20b`, { ca: 'a certificate' }])
  })

  it('may be those of the environment', () => {
    vi.stubEnv('PGSSLMODE', 'verify-full')
    expect(separateTls(database).ssl).toEqual({})
    vi.unstubAllEnvs()
  })

  it('name files that can be read', () => {
    expect(() => separateTls(`${database}?sslmode=verify-full&sslrootcert=${folder}/none.pem`)).toThrow('none.pem')
  })
})
