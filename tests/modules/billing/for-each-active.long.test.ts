import { expect, it } from 'vitest'
import { forEachActive } from '#modules/billing/for-each-active.ts'
import { subscribe } from '#tests/support/billing.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp } from '#tests/support/test-app.ts'

it('continues after a failing subscription and throws its error at the end', async () => {
  const app = await startTestApp()
  try {
    const practices: string[] = []
    for (let count = 0; count < 3; count++) {
      const { client, practice } = await newOwner(app)
      await subscribe(client)
      practices.push(practice.id)
    }
    const turns: string[] = []
    const broken = new Error('This subscription cannot be read')
    const all = forEachActive(app.services, new AbortController().signal, async ({ practiceId }) => {
      turns.push(practiceId)
      if (turns.length === 1) throw broken
    })
    await expect(all).rejects.toBe(broken)
    expect(turns.toSorted()).toEqual(practices.toSorted())
    await expect(forEachActive(app.services, AbortSignal.abort(), async () => undefined)).rejects.toThrow('aborted')
  } finally {
    await app.dispose()
  }
})
