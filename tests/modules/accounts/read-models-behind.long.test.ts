import { afterAll, beforeAll, expect, it } from 'vitest'
import { CurrentUser } from '#contracts/accounts.ts'
import { Practice } from '#contracts/practices.ts'
import { newUser, practiceDetails, registrationForm } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

it('replies with the decided state while the read models are stopped, and with the row once they continue', async () => {
  const { client: owner, user } = await newUser(app)
  await app.projectionRunner.stop()

  const sent = registrationForm()
  const newcomer = app.newClient()
  const registered = await newcomer.post('/api/register', sent)
  expect(registered.status).toBe(201)
  expect(CurrentUser.parse(registered.body)).toMatchObject({ email: sent.email, practiceId: null, isDemo: true })

  const setUp = await owner.post('/api/practices/setup', { ...practiceDetails, selectedPlan: 'starter' })
  expect(setUp.status).toBe(200)
  expect(Practice.parse(setUp.body)).toMatchObject({ ...practiceDetails, setupComplete: true, revision: 1 })

  const copy = await startTestApp({ databaseUrl: app.databaseUrl })
  try {
    const newcomerThere = copy.newClient()
    newcomerThere.setCookie(newcomer.cookie())
    const { body: found } = await newcomerThere.get('/api/user')
    // The row has the time of the event.
    expect(found).toEqual({ ...registered.body, createdAt: found.createdAt, updatedAt: found.createdAt })
    const ownerThere = copy.newClient()
    ownerThere.setCookie(owner.cookie())
    const practice = await ownerThere.get(`/api/practices/${setUp.body.id}`)
    const { createdAt, updatedAt } = practice.body
    expect(practice.body).toEqual({ ...setUp.body, createdAt, updatedAt })
    expect((await ownerThere.get('/api/user')).body).toMatchObject({ id: user.id, practiceId: setUp.body.id })
  } finally {
    await copy.stopInstance()
  }
})
