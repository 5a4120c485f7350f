import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAllEvents } from '#tests/support/events.ts'
import { inviteTo, newMember } from '#tests/support/members.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { expectAccessible, expectNoSidewaysScroll, launchBrowser, openWindow, takePicture } from './browser.ts'
import { looks } from './looks.ts'

describe('the seats of a plan', () => {
  let app: TestApp
  let browser: Browser
  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  it.each(looks)('are shown, and a full plan leads to the one that has more: $name', async (look) => {
    const owner = await newOwner(app, { selectedPlan: 'starter' })
    await owner.client.get('/api/providers')
    expect((await owner.client.post('/api/providers', { name: 'Maya Chen' })).status).toBe(201)
    const { page, complaints, context } = await openWindow(browser, { ...look, url: app.url })
    await page.request.post('/api/login', { data: { email: owner.registration.email, password } })

    // By invitation: the last seat is taken, and another invitation needs a larger plan.
    await page.goto('/team')
    await page.getByText('1 member, 2 of 3 providers').waitFor()
    await inviteTo(owner.practice.id, 'sam.rivers@example.test', 'doctor', { isProvider: true })
    await page.getByText('1 member, 1 open invitation, 3 of 3 providers, 1 invited').waitFor()
    await page.getByRole('button', { name: 'Invite', exact: true }).press('Enter')
    const form = page.getByRole('dialog', { name: 'Invite to the team' })
    await form.getByLabel('Email').fill('kim@example.test')
    await form.getByLabel('Role').selectOption('doctor')
    await form.getByRole('checkbox').check()
    await form.getByLabel('Email').press('Enter')
    const refusal = form.getByRole('alert').filter({ hasText: 'Your plan is full' })
    await refusal.getByText('The demo holds 3 providers, and open invitations count.').waitFor()
    await expectAccessible(page, 'an invitation that is refused')
    await expectNoSidewaysScroll(page)
    await takePicture(page, `seats invite ${look.name}`)
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    // In the settings.
    await page.goto('/practice')
    const providers = page.getByRole('region', { name: 'Providers' })
    await providers.getByText('Who sees patients: 3 of 3 providers, 1 invited').waitFor()
    await providers.getByRole('button', { name: 'Add provider' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Add Provider' })
    await dialog.getByLabel('Name').fill('Joy Park')
    await dialog.getByLabel('Name').press('Enter')
    await dialog.getByText('Upgrade to Professional to add more.').waitFor()
    await expectAccessible(page, 'a provider that is refused')
    await takePicture(page, `seats add ${look.name}`)
    await dialog.getByRole('link', { name: 'Upgrade' }).press('Enter')
    await page
      .getByRole('alertdialog', { name: 'Discard your changes?' })
      .getByRole('button', { name: 'Discard' })
      .click()
    await page.waitForURL('**/subscription?plan=professional')
    expect(complaints).toEqual([])
    await context.close()
  })

  it('are needed to reactivate a provider; a suspension asks for its reason', async () => {
    const owner = await newOwner(app, { selectedPlan: 'starter' })
    const { client } = owner
    const nurse = await newMember(app, owner.practice.id, 'nurse', {})
    const add = async (name: string) => (await client.post('/api/providers', { name })).body.id as string
    const former = await add('Maya Chen')
    expect((await client.patch(`/api/providers/${former}`, { active: false })).status).toBe(200)
    await add('Joy Park')
    await add('Lee Novak')
    const { page, complaints, context } = await openWindow(browser, { url: app.url })
    await page.request.post('/api/login', { data: { email: owner.registration.email, password } })
    await page.goto('/practice')
    const providers = page.getByRole('region', { name: 'Providers' })
    await providers.getByText('3 of 3 providers').waitFor()
    await providers.getByRole('button', { name: 'Actions for Maya Chen' }).click()
    await page.getByRole('menuitem', { name: 'Reactivate' }).click()
    await providers.getByRole('alert').getByText('The demo holds 3 providers.').waitFor()
    await expectAccessible(page, 'a reactivation that is refused')
    await takePicture(page, 'seats reactivate')

    await page.goto('/team')
    await page.getByRole('button', { name: 'Actions for Ada Okafor' }).last().click()
    await page.getByRole('menuitem', { name: 'Suspend' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByLabel('Reason').fill('On leave until May')
    await expectAccessible(page, 'a suspension')
    await takePicture(page, 'suspend')
    await question.getByRole('button', { name: 'Suspend' }).press('Enter')
    await page.getByRole('row').getByText('Suspended').waitFor()
    const suspensions = (await readAllEvents(app.services.store)).filter(({ type }) => type === 'MemberSuspended')
    expect(suspensions).toMatchObject([{ data: { userId: nurse.user.id, why: 'On leave until May' } }])
    expect(complaints).toEqual([])
    await context.close()
  })
})
