import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newMember } from '#tests/support/members.ts'
import { newOwner, newUser, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import {
  dismissToasts,
  expectAccessible,
  expectNoSidewaysScroll,
  launchBrowser,
  loadAgain,
  openWindow,
  type Screen,
  takePicture,
} from './browser.ts'
import { looks } from './looks.ts'
import { itLong } from '#tests/support/long.ts'

/** Each test builds on the state of the previous one. */
describe('Practice Settings', () => {
  let app: TestApp
  let browser: Browser
  let owner: Awaited<ReturnType<typeof newOwner>>
  let desk: Screen

  async function signedIn(email: unknown, look: { width?: number; height?: number; dark?: boolean } = {}) {
    const screen = await openWindow(browser, { ...look, url: app.url })
    await screen.page.request.post('/api/login', { data: { email, password } })
    return screen
  }
  const practice = async () => (await owner.client.get(`/api/practices/${owner.practice.id}`)).body
  const types = async () => (await owner.client.get('/api/appointment-types')).body.types
  const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
  /** Saves, and waits for the toast, which an earlier one with the same text is not. */
  const save = async (page: Page, button: string, toast: string) => {
    await dismissToasts(page)
    await page.getByRole('button', { name: button }).click()
    await page.getByText(toast).waitFor()
  }
  const openSettings = async (page: Page) => {
    await page.goto('/practice')
    await page.getByLabel('Practice name').waitFor()
    await page.getByLabel('Procedure, fee').waitFor()
    await panel(page, 'Calendar feeds').getByText('No address yet').first().waitFor()
  }

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    owner = await newOwner(app, { selectedPlan: 'starter' })
    await owner.client.get('/api/providers')
    desk = await signedIn(owner.registration.email)
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  itLong.each(looks)(
    'is accessible and fits the window, with validation errors too: $name',
    async ({ name, ...look }) => {
      const { page, complaints } = await signedIn(owner.registration.email, look)
      await openSettings(page)
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Practice Settings')
      await expectAccessible(page, name)
      await expectNoSidewaysScroll(page)
      await panel(page, 'Appointment types').scrollIntoViewIfNeeded()
      await takePicture(page, `settings-${name}`)
      await page.getByLabel('NPI').fill('1234567890')
      await page.getByLabel('Practice name').fill('H')
      await page.getByRole('button', { name: 'Save practice' }).click()
      await page.getByText('Please enter a valid NPI: ten digits with a correct check digit').waitFor()
      await page.getByText('Practice name must be at least 2 characters').waitFor()
      await page.getByLabel('Procedure, fee').fill('1.005')
      await page.getByLabel('Procedure, duration').fill('4')
      await page.getByLabel('Emergency, duration').fill('1h')
      await page.getByRole('button', { name: 'Save appointment types' }).click()
      await page.getByText('Please enter an amount').waitFor()
      await page.getByText('At least 5 minutes').waitFor()
      await page.getByText('Please choose a duration').waitFor()
      await expectAccessible(page, `${name}, refused`)
      await expectNoSidewaysScroll(page)
      await panel(page, 'Appointment types').scrollIntoViewIfNeeded()
      await takePicture(page, `settings-${name}-refused`)
      expect(complaints).toEqual([])
      await page.context().close()
    },
  )

  it('edits the practice and its appointment types with the keyboard alone', async () => {
    const { page } = desk
    await openSettings(page)
    const active = () => page.evaluate<string>('document.activeElement?.getAttribute("name") ?? ""')
    const tabTo = async (field: string) => {
      for (let step = 0; step < 60 && (await active()) !== field; step++) await page.keyboard.press('Tab')
      expect(await active()).toBe(field)
    }
    await tabTo('name')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Harbour Clinic')
    await tabTo('npi')
    await page.keyboard.type('1234567893')
    await page.keyboard.press('Enter')
    await page.getByText('Practice settings saved').waitFor()
    await tabTo('follow-up-fee')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('1,095.5')
    // The color follows the fee.
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: 'Gold' }).waitFor()
    await page.keyboard.type('gold')
    await page.keyboard.press('Enter')
    await page.getByRole('option').first().waitFor({ state: 'detached' })
    await tabTo('check-up-duration')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('45')
    await page.keyboard.press('Enter')
    await page.getByText('Appointment types saved').waitFor()
    expect(await practice()).toMatchObject({ name: 'Harbour Clinic', npi: '1234567893' })
    expect(await types()).toMatchObject({
      'follow-up': { fee: { cents: 1_095_50 }, colour: 'gold', duration: 30 },
      'check-up': { fee: { cents: 120_00 }, colour: null, duration: 45 },
    })
    expect(await page.getByLabel('Follow-up, fee').inputValue()).toBe('1,095.50')
    // The subtitle of the screen shows the new name.
    await page.getByRole('banner').or(page.locator('header')).getByText('Harbour Clinic').first().waitFor()
  })

  it('keeps the input when saving fails, and asks for confirmation before leaving', async () => {
    const { page } = desk
    await page.getByLabel('Website').fill('https://harbor.example.com')
    await page.route('**/api/practices/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
    )
    await page.getByRole('button', { name: 'Save practice' }).click()
    await page.getByText('Failed to save practice settings').waitFor()
    expect(await page.getByLabel('Website').inputValue()).toBe('https://harbor.example.com')
    await page.unroute('**/api/practices/*')
    await page.getByRole('link', { name: 'Patients' }).click()
    await page.getByText('Discard your changes?').waitFor()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await save(page, 'Save practice', 'Practice settings saved')
    expect(await practice()).toMatchObject({ website: 'https://harbor.example.com' })
  })

  itLong('keeps the input when the session has expired, and saves it after signing in again', async () => {
    const { page } = desk
    await page.getByLabel('Website').fill('https://pier.example.com')
    await page.request.post('/api/logout')
    await page.getByRole('button', { name: 'Save practice' }).click()
    await page.getByText('You were signed out').waitFor()
    expect(await page.getByLabel('Website').inputValue()).toBe('https://pier.example.com')
    await expectAccessible(page, 'signed out')
    await page.request.post('/api/login', { data: { email: owner.registration.email, password } })
    await save(page, 'Save practice', 'Practice settings saved')
    expect(await practice()).toMatchObject({ website: 'https://pier.example.com' })
  })

  it('shows conflicting changes in both sections, and loses nothing', async () => {
    const { page } = desk
    const path = `/api/practices/${owner.practice.id}`
    await page.getByRole('textbox', { name: 'Phone' }).fill('(617) 555-0111')
    await page.getByRole('textbox', { name: 'Address' }).fill('1 Pier Road')
    await owner.client.patch(path, { phone: '(617) 555-0199', email: 'front@example.test' })
    await page.getByRole('button', { name: 'Save practice' }).click()
    await page.getByText('Ada Okafor changed the practice while you were editing').waitFor()
    await expectAccessible(page, 'the practice, conflict')
    expect(await page.getByRole('textbox', { name: 'Phone' }).inputValue()).toBe('(617) 555-0111')
    expect(await page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe('front@example.test')
    await page.getByRole('button', { name: 'Use theirs' }).click()
    await save(page, 'Save practice', 'Practice settings saved')
    expect(await practice()).toMatchObject({
      phone: '(617) 555-0199',
      email: 'front@example.test',
      address: '1 Pier Road',
    })
    await page.getByLabel('Emergency, fee').fill('310')
    await owner.client.patch('/api/appointment-types', {
      types: { emergency: { fee: 320_00 }, procedure: { fee: 460_00, duration: 60, colour: 'purple' } },
    })
    await page.getByRole('button', { name: 'Save appointment types' }).click()
    await page.getByText('Ada Okafor changed the appointment types while you were editing').waitFor()
    const changes = page.getByRole('alert').getByRole('listitem')
    await changes.filter({ hasText: /Emergency, fee.*\$300\.00.*\$320\.00/s }).waitFor()
    await changes.filter({ hasText: /Procedure, duration.*30 min.*60 min/s }).waitFor()
    await changes.filter({ hasText: /Procedure, color.*No color.*Purple/s }).waitFor()
    await expectAccessible(page, 'the appointment types, conflict')
    await save(page, 'Save appointment types', 'Appointment types saved')
    expect(await types()).toMatchObject({
      emergency: { fee: { cents: 310_00 } },
      procedure: { fee: { cents: 460_00 }, duration: 60, colour: 'purple' },
    })
  })

  it('shows changes by other users where there is no unsaved input', async () => {
    const { page } = desk
    const { client, practice: changed } = owner
    expect((await client.patch('/api/appointment-types', { types: { procedure: { fee: 470_00 } } })).status).toBe(200)
    expect((await client.patch(`/api/practices/${changed.id}`, { name: 'Pier Clinic' })).status).toBe(200)
    await expect.poll(() => page.getByLabel('Procedure, fee').inputValue()).toBe('470.00')
    await expect.poll(() => page.getByLabel('Practice name').inputValue()).toBe('Pier Clinic')
  })

  itLong('corrects the time zone after a preview of what moves, the specialties and the tax id', async () => {
    const { page } = desk
    const { client } = owner
    const patientId = (await client.post('/api/patients', { firstName: 'Ida', lastName: 'Bell' })).body.id
    const booked = { patientId, appointmentDate: '2031-05-05T09:00', type: 'check-up' }
    const appointmentId = (await client.post('/api/appointments', booked)).body.id
    await openSettings(page)
    await page.getByLabel('Tax ID').fill('12-3456789')
    await page.getByRole('combobox', { name: 'Specialties' }).click()
    await page.getByRole('option', { name: 'Cardiology' }).click()
    const zone = page.getByRole('combobox', { name: 'Time zone' })
    await zone.fill('')
    await zone.pressSequentially('angel')
    await page.getByRole('option', { name: 'America/Los Angeles' }).click()
    await page.getByRole('button', { name: 'Save practice' }).click()
    const question = page.getByRole('alertdialog', { name: 'Change the time zone to America/Los Angeles?' })
    await question.getByText('1 upcoming appointment will show another local time.').waitFor()
    await question.getByText('May 5, 2031, 9:00 AM becomes May 5, 2031, 6:00 AM').waitFor()
    await expectAccessible(page, 'the preview of another time zone')
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(await practice()).toMatchObject({ timezone: 'America/New_York', taxId: null })
    expect(await zone.inputValue()).toBe('America/Los Angeles')
    await page.getByRole('button', { name: 'Save practice' }).click()
    await question.getByRole('button', { name: 'Change time zone' }).click()
    await expect.poll(practice).toMatchObject({
      timezone: 'America/Los_Angeles',
      taxId: '12-3456789',
      specialties: ['Family Medicine', 'Cardiology'],
    })
    await page.goto('/appointments?date=2031-05-05')
    await page
      .getByText(/6:00 AM/)
      .first()
      .waitFor()
    await client.delete(`/api/appointments/${appointmentId}`)
    await client.patch(`/api/practices/${owner.practice.id}`, { timezone: 'America/New_York' })
    await openSettings(page)
  })

  itLong('adds, edits and deactivates a provider, and shows why that is not possible', async () => {
    const { page } = desk
    const providers = panel(page, 'Providers')
    const act = async (name: string, action: string) => {
      await providers.getByRole('button', { name: `Actions for ${name}` }).click()
      await page.getByRole('menuitem', { name: action }).click()
    }
    await act('Ada Okafor', 'Deactivate')
    await page.getByRole('button', { name: 'Deactivate', exact: true }).click()
    await page.getByText('Ada Okafor is the only provider. Add another provider first.').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })

    await providers.getByRole('button', { name: 'Add provider' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Add provider' }).click()
    await page.getByText('Please enter a name').waitFor()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Maya Chen')
    await page.keyboard.press('Enter')
    await providers.getByText('Maya Chen').waitFor()

    await act('Maya Chen', 'Edit')
    await page.getByLabel('Title').fill('MD')
    await page.getByRole('radio', { name: 'Green' }).check()
    await expectAccessible(page, 'a provider')
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await page.getByText('Provider updated').waitFor()
    const all = (await owner.client.get('/api/providers')).body as { id: string; name: string }[]
    const chen = all.find(({ name }) => name === 'Maya Chen')
    expect(chen).toMatchObject({ title: 'MD', colour: 'green' })

    const patientId = (await owner.client.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper' })).body.id
    const appointment = { patientId, providerId: chen?.id, appointmentDate: '2031-03-05T09:00', type: 'check-up' }
    const appointmentId = (await owner.client.post('/api/appointments', appointment)).body.id as string
    await act('Maya Chen', 'Deactivate')
    await page.getByRole('button', { name: 'Deactivate', exact: true }).click()
    await page.getByText('Maya Chen has 1 upcoming appointment').waitFor()
    await page.getByText('It is on Mar 5, 2031, 9:00 AM. Move or cancel it first.').waitFor()
    expect(await page.getByRole('link', { name: 'Open the appointment' }).getAttribute('href')).toContain(
      'date=2031-03-05',
    )
    await expectAccessible(page, 'a provider with upcoming appointments')
    await owner.client.delete(`/api/appointments/${appointmentId}`)
    await page.getByRole('button', { name: 'Deactivate', exact: true }).click()
    await providers.getByText('MD, No longer sees patients').waitFor()
    await act('Maya Chen', 'Reactivate')
    await page.getByText('Provider reactivated').waitFor()
  })

  itLong('creates a calendar address that is shown once, and revokes it', async () => {
    const { page, context } = desk
    const feeds = panel(page, 'Calendar feeds')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: app.url })
    await feeds.getByRole('button', { name: 'New address for Ada Okafor' }).click()
    await page.getByRole('button', { name: 'Create address' }).click()
    await page.getByText('Please enter where it will be used').waitFor()
    await page.getByLabel('Where will it be used?').fill('Phone')
    await page.keyboard.press('Enter')
    await page.getByText('It will not be shown again.').waitFor()
    for (const program of ['Outlook', 'Google', 'Apple'])
      await page.getByRole('dialog').or(page.getByRole('alertdialog')).getByText(program, { exact: true }).waitFor()
    await expectAccessible(page, 'a new calendar address')
    const address = await page.getByLabel('Address', { exact: true }).last().inputValue()
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(address)
    const read = () => page.request.get(address)
    expect(await (await read()).text()).toContain('BEGIN:VCALENDAR')
    await page.getByRole('button', { name: 'Done' }).click()
    await feeds.getByText(/1 address, last created/).waitFor()
    expect(await page.content()).not.toContain(new URL(address).pathname.split('/')[3])

    await feeds.getByRole('button', { name: 'Revoke Phone' }).click()
    await page.getByText('Revoke "Phone"?').waitFor()
    await expectAccessible(page, 'revoking')
    await page.getByRole('button', { name: 'Revoke', exact: true }).last().click()
    await page.getByText('Calendar address revoked').waitFor()
    await feeds.getByRole('button', { name: 'Revoke Phone' }).waitFor({ state: 'detached' })
    expect((await read()).status()).toBe(404)

    const former = await newMember(app, owner.practice.id, 'administrator')
    const [provider] = (await owner.client.get('/api/providers')).body as { id: string }[]
    await former.client.post('/api/calendar-feeds', { providerId: provider?.id, label: 'Tablet' })
    await feeds.getByRole('button', { name: 'Revoke Tablet' }).waitFor()
    await app.services.pool.query("update read.users set role = 'nurse' where user_id = $1", [former.user.id])
    await page.reload()
    await feeds.getByText(/^Ended .*may no longer manage calendar feeds\. The address no longer works\.$/).waitFor()
    await expectAccessible(page, 'an ended calendar address')
    await feeds.getByRole('button', { name: 'Remove Tablet' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).last().click()
    await page.getByText('Calendar address removed').waitFor()
    await feeds.getByRole('button', { name: 'Remove Tablet' }).waitFor({ state: 'detached' })
  })

  itLong('shows other roles what they may see, and who can change the rest', async () => {
    const nurse = await newMember(app, owner.practice.id, 'nurse')
    const { page, complaints } = await signedIn(nurse.registration.email)
    await page.goto('/practice')
    await panel(page, 'Practice').getByText('Pier Clinic').waitFor()
    await page.getByText('Appointment types are for the owner and administrators').waitFor()
    await page.getByText('Calendar feeds are for the owner and administrators').waitFor()
    for (const name of ['Save practice', 'Save appointment types', 'Add provider', 'New address for Ada Okafor'])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    await expectAccessible(page, 'for a nurse')
    expect(complaints).toEqual([])
  })

  itLong('shows what could not be loaded, and loads it again', async () => {
    const { page } = await signedIn(owner.registration.email)
    for (const part of ['appointment-types', 'calendar-feeds', 'providers'])
      await page.route(`**/api/${part}`, (route) => route.abort())
    await page.goto('/practice')
    for (const title of ['Appointment types', 'Calendar feeds', 'Providers'])
      await page.getByText(`${title} could not be loaded`).waitFor()
    await expectAccessible(page, 'failed')
    const parts = [
      ['Appointment types', 'appointment-types'],
      ['Calendar feeds', 'calendar-feeds'],
    ] as const
    for (const [name, part] of parts) {
      const sent = page.waitForRequest(`**/api/${part}`)
      await panel(page, name).getByRole('button', { name: 'Try again' }).click()
      await sent
      await panel(page, name).getByText(`${name} could not be loaded`).waitFor()
    }
    await page.unrouteAll()
    await loadAgain(page, /could not be loaded/)
    await page.getByLabel('Procedure, fee').waitFor()
    await panel(page, 'Providers').getByText('Maya Chen').waitFor()
  })

  itLong('sends users without a practice to the setup', async () => {
    const newcomer = await newUser(app)
    const { page } = await signedIn(newcomer.registration.email)
    await page.goto('/practice')
    await page.getByText('You have not set up a practice yet').waitFor()
    await page.getByRole('button', { name: 'Set up your practice' }).click()
    await page.waitForURL(/onboarding/)
  })
})
