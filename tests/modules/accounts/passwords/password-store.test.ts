import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { passwordChangesMigration } from '#modules/accounts/passwords/password-changes.ts'
import {
  credentialsMigration,
  type PasswordStore,
  createPasswordStore,
} from '#modules/accounts/passwords/password-store.ts'
import { hasAccounts } from '#modules/accounts/public.ts'
import { migrate } from '#database/migrations.ts'
import { createTestDatabase, type TestDatabase, openTestPool } from '#tests/support/test-database.ts'
import { itLong } from '#tests/support/long.ts'

/** No password is refused because the machine is busy. */
const patient = { maxConcurrentSignIns: 1, maxConcurrentSignUps: 1, maxQueued: 1_000, maxWaitMs: 100_000 }

describe('passwords', () => {
  let database: TestDatabase
  let pool: Pool
  let kept: PasswordStore
  beforeAll(async () => {
    database = await createTestDatabase()
    pool = openTestPool(database.url, 10)
    await migrate(pool, [credentialsMigration, passwordChangesMigration])
    kept = createPasswordStore(pool, patient)
  })
  afterAll(async () => {
    await pool.end()
    await database.drop()
  })

  async function keep(password: string) {
    const userId = randomUUID()
    await kept.save(userId, await kept.hash(password))
    return userId
  }

  it('tell whether anyone can sign in', async () => {
    await pool.query('delete from app.credentials')
    expect(await hasAccounts(pool)).toBe(false)
    await keep('of the first user')
    expect(await hasAccounts(pool)).toBe(true)
  })

  it('are checked whole, to the last character', async () => {
    const long = `${'x'.repeat(199)}y`
    const userId = await keep(long)
    expect(await kept.verify(userId, long)).toBe(0)
    expect(await kept.verify(userId, `${'x'.repeat(199)}z`)).toBeNull()
    expect(await kept.verify(userId, long.slice(0, 72))).toBeNull()
  })

  it('are the same on every keyboard', async () => {
    const userId = await keep('cafe\u0301 au lait')
    expect(await kept.verify(userId, 'café au lait')).toBe(0)
    expect(await kept.verify(userId, 'Café au lait')).toBeNull()
  })

  it('cost what OWASP asks for by default', async () => {
    expect(await kept.hash('anything at all')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  it('are salted', async () => {
    expect(await kept.hash('the same twice')).not.toBe(await kept.hash('the same twice'))
  })

  it('match no unknown user', async () => {
    expect(await kept.verify(randomUUID(), 'anything at all')).toBeNull()
  })

  it('are compared for a sign-in before those of the sign-ups that came earlier', async () => {
    const password_hash = await kept.hash('a long enough password')
    // The stored hash comes from memory: while a busy database looked for it, all sign-ups could be done.
    const inMemory = Object.assign(Object.create(pool) as Pool, {
      query: async () => ({ rows: [{ password_hash, version: 0 }] }),
    })
    const passwords = createPasswordStore(inMemory, patient)
    let hashed = 0
    const signUps = Array.from({ length: 30 }, async () => {
      await passwords.hash('a long enough password')
      hashed++
    })
    expect(await passwords.verify(randomUUID(), 'a long enough password')).toBe(0)
    expect(hashed).toBeLessThan(30)
    await Promise.all(signUps)
  })

  itLong('wait for each other, and a flood is turned away before it takes any work', async () => {
    const userId = await keep('a long enough password')
    const flood = 230
    let asked = 0
    let isGathering = false
    const allAsked = Promise.withResolvers<void>()
    // No password is compared before the hashes for all of them have been read.
    const gathering = Object.assign(Object.create(pool) as Pool, {
      async query(...question: Parameters<Pool['query']>) {
        const answer = await pool.query(...question)
        if (!isGathering) return answer
        if (++asked === flood) allAsked.resolve()
        await allAsked.promise
        return answer
      },
    })
    const flooded = createPasswordStore(gathering, { ...patient, maxConcurrentSignIns: 2, maxQueued: 200 })
    // Waits for the hash that is computed at the start.
    expect(await flooded.verify(randomUUID(), 'anything at all')).toBeNull()
    isGathering = true
    const outcomes = await Promise.allSettled(
      Array.from({ length: flood }, () => flooded.verify(userId, 'a long enough password')),
    )
    const through = outcomes.filter((outcome) => outcome.status === 'fulfilled')
    expect(through.every(({ value }) => value === 0)).toBe(true)
    expect(through.length).toBeGreaterThanOrEqual(202)
    const away = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(away.length).toBeGreaterThan(0)
    for (const { reason } of away)
      expect(reason).toMatchObject({
        status: 503,
        code: 'busy',
        extra: { headers: { 'Retry-After': expect.stringMatching(/^[1-9]\d*$/) } },
      })
    expect(await flooded.verify(userId, 'a long enough password')).toBe(0)
  })
})
