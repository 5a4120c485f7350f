import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backgroundHeader } from '#contracts/accounts.ts'
import { isLongRun, itLong } from '#tests/support/long.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { newMember } from '#tests/support/members.ts'
import { showCode } from '#tests/support/two-factor.ts'
import { dismissToasts, expectAccessible, launchBrowser, openWindow, takePicture } from './browser.ts'

const minute = 60_000

/** Unattended browsers show no patient. The clock of the browser is moved, that of the server is not. */
describe('a browser without input', () => {
  let app: TestApp
  let browser: Browser
  let owner: Awaited<ReturnType<typeof newOwner>>

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    owner = await newOwner(app, { selectedPlan: 'starter' })
    await owner.client.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper' })
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  const signIn = async (page: Page, email = owner.registration.email) => {
    await page.getByRole('textbox', { name: 'Email' }).fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  }
  const showPatients = async (page: Page, address = '/patients') => {
    await page.goto(address)
    await page.getByText('Grace Hopper').first().waitFor()
  }
  const signInToPatients = async (page: Page) => {
    await page.goto('/patients')
    await signIn(page)
    await page.getByText('Grace Hopper').first().waitFor()
  }
  const lock = (page: Page) => page.getByRole('alertdialog', { name: 'Everchart is locked' })
  /** Waits until a window is locked and shows nothing of its page. */
  const expectLocked = async (page: Page) => {
    await lock(page).waitFor()
    expect(await page.title()).toBe('Everchart is locked')
    expect(await page.locator('html').ariaSnapshot()).not.toMatch(/Hopper|Lamarr|Franklin/)
    expect(await page.locator('body > :visible:not(:has([data-lock-screen]))').count()).toBe(0)
  }
  const warning = (page: Page) => page.getByRole('alertdialog', { name: 'Are you still there?' })
  const countSessions = async () => {
    const { rows } = await app.services.pool.query('select 1 from app.sessions where user_id = $1', [owner.user.id])
    return rows.length
  }

  itLong('warns, then locks all tabs and ends the session, until the password unlocks them', async () => {
    const { page: first, context, complaints } = await openWindow(browser, { url: app.url })
    await context.clock.install()
    const before = await countSessions()
    await signInToPatients(first)
    const second = await context.newPage()
    await showPatients(second, '/patients?search=Hopper')
    expect(await countSessions()).toBe(before + 1)

    // A refetch that a colleague caused says so: it does not keep the session alive.
    await context.clock.fastForward(30_000)
    const refetch = first.waitForRequest((request) => new URL(request.url()).pathname === '/api/patients')
    await owner.client.post('/api/patients', { firstName: 'Hedy', lastName: 'Lamarr' })
    expect((await refetch).headers()[backgroundHeader.toLowerCase()]).toBe('true')
    await first.getByText('Hedy Lamarr').first().waitFor()

    // To the beginning of the warning, which lasts two minutes.
    await context.clock.fastForward(55.5 * minute)
    await Promise.all([first, second].map((page) => warning(page).waitFor()))
    await expectAccessible(first, 'warning before signing out')
    const stayed = first.waitForRequest(
      (request) =>
        new URL(request.url()).pathname === '/api/user' && !(backgroundHeader.toLowerCase() in request.headers()),
    )
    await first.getByRole('button', { name: 'Stay signed in' }).click()
    await stayed
    await Promise.all([first, second].map((page) => warning(page).waitFor({ state: 'detached' })))

    await first.setViewportSize({ width: 1440, height: 300 })
    await first.evaluate('scrollTo(0, 60)')
    await expect.poll(() => first.evaluate<number>('scrollY')).toBe(60)
    await context.clock.fastForward(58 * minute + 1_000)
    await Promise.all([first, second].map(expectLocked))
    await expect.poll(countSessions).toBe(before)
    await expectAccessible(first, 'a locked window')
    // Shortcuts of the hidden page do nothing.
    await first.keyboard.press('Escape')
    await first.keyboard.press('Control+k')
    await expectLocked(first)

    // One is too short to be anyone's.
    for (const wrong of ['not this one', 'wrong']) {
      await second.getByLabel(/^Password of/).fill(wrong)
      await second.keyboard.press('Enter')
      await second.getByText('This is not your password').waitFor()
      await second.getByLabel(/^Password of/).fill('')
      await second.getByText('This is not your password').waitFor({ state: 'detached' })
    }
    await second.getByLabel(/^Password of/).fill(password)
    await second.keyboard.press('Enter')
    await Promise.all([first, second].map((page) => lock(page).waitFor({ state: 'detached' })))
    expect(await countSessions()).toBe(before + 1)
    for (const page of [first, second]) await page.getByText('Grace Hopper').first().waitFor()
    expect(await first.evaluate<number>('scrollY')).toBe(60)
    expect(new URL(second.url()).search).toBe('?search=Hopper')
    expect(await second.title()).not.toMatch(/locked/)
    await owner.client.post('/api/patients', { firstName: 'Rosalind', lastName: 'Franklin' })
    await first.getByText('Rosalind Franklin').first().waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it('keeps what was typed into a form, and saves it after unlocking', async () => {
    const { page, context, complaints } = await openWindow(browser, { url: app.url, width: 390, dark: true })
    await context.clock.install()
    await page.goto('/patients')
    await signIn(page)
    await page.getByRole('button', { name: 'Add Patient' }).first().click()
    const form = page.getByRole('dialog', { name: 'Add Patient' })
    await form.getByLabel('First name').first().fill('Chien-Shiung')
    await form.getByLabel('Last name').first().fill('Wu')
    // Hidden with the page, they would not end.
    await dismissToasts(page)
    await context.clock.fastForward(59 * minute)
    await expectLocked(page)
    expect(await form.isVisible()).toBe(false)
    await expectAccessible(page, 'a locked window, phone, dark')
    await takePicture(page, 'locked window, phone, dark')
    // What a colleague changes is not fetched before the window is unlocked.
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await owner.client.post('/api/patients', { firstName: 'Lise', lastName: 'Meitner' })
    for (let seconds = 0; seconds < 60; seconds += 5) await context.clock.fastForward(5_000)
    expect(requests).toEqual([])
    await expect
      .poll(() => page.evaluate<string>('document.activeElement?.getAttribute("type") ?? ""'))
      .toBe('password')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await lock(page).waitFor({ state: 'detached' })
    expect(await form.getByLabel('First name').first().inputValue()).toBe('Chien-Shiung')
    await expect.poll(() => page.evaluate<string>('document.activeElement?.value ?? ""')).toBe('Wu')
    await page.keyboard.press('Enter')
    await form.waitFor({ state: 'detached' })
    const names = (await owner.client.get('/api/patients?search=Wu')).body as { firstName: string }[]
    expect(names.map(({ firstName }) => firstName)).toEqual(['Chien-Shiung'])
    await page.getByText('Lise Meitner').first().waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  itLong('loses no character that is typed when the warning opens, and stays', async () => {
    const { page, context, complaints } = await openWindow(browser, { url: app.url })
    await context.clock.install()
    await signInToPatients(page)
    await page.getByRole('button', { name: 'Add Patient' }).first().click()
    const name = page.getByRole('dialog', { name: 'Add Patient' }).getByLabel('First name').first()
    await name.fill('Chi')
    await context.clock.fastForward(57 * minute)
    await warning(page).waitFor()
    await page.keyboard.type('en-Shiung n')
    await warning(page).waitFor({ state: 'detached' })
    expect(await name.inputValue()).toBe('Chien-Shiung n')
    // Without a field, a character is none of the page's shortcuts.
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await context.clock.fastForward(57 * minute)
    await warning(page).waitFor()
    await page.keyboard.press('n')
    await page.keyboard.press('Escape')
    await warning(page).waitFor({ state: 'detached' })
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })

  it.runIf(isLongRun)('asks for the code as well where two-factor sign-in is on', async () => {
    const guarded = await newOwner(app, { selectedPlan: 'starter' })
    const { secret } = (await guarded.client.post('/api/account/two-factor/setup', { password })).body
    const { body } = await guarded.client.post('/api/account/two-factor/enable', {
      code: showCode(secret, app.services.clock()),
    })
    const { page, context, complaints } = await openWindow(browser, { url: app.url })
    await context.clock.install()
    await page.goto('/patients')
    await signIn(page, guarded.registration.email)
    await page.getByLabel('Code').fill(body.recoveryCodes[0])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Patient Management' }).waitFor()
    await context.clock.fastForward(59 * minute)
    await expectLocked(page)
    await page.getByLabel(/^Password of/).fill(password)
    await page.keyboard.press('Enter')
    await page.getByLabel('Code').fill('000000')
    await page.keyboard.press('Enter')
    await page.getByText(/code is not valid/).waitFor()
    await page.getByLabel('Code').fill(body.recoveryCodes[1])
    await page.keyboard.press('Enter')
    await lock(page).waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Patient Management' }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  itLong('sends a sign-out again that was not received', async () => {
    const { page, context } = await openWindow(browser, { url: app.url })
    await context.clock.install()
    const before = await countSessions()
    await signInToPatients(page)
    const lost = Promise.withResolvers<void>()
    await page.route('**/api/logout?reason=idle', async (route) => {
      await route.abort()
      lost.resolve()
    })
    await context.clock.fastForward(59 * minute)
    await expectLocked(page)
    await lost.promise
    expect(await countSessions()).toBe(before + 1)
    await page.unroute('**/api/logout?reason=idle')
    await context.clock.fastForward(5_000)
    await expect.poll(countSessions).toBe(before)
    await context.close()
  })

  it.runIf(isLongRun)('shows nothing of the page to a user whose role has changed', async () => {
    const nurse = await newMember(app, owner.practice.id, 'nurse')
    const { page, context } = await openWindow(browser, { url: app.url })
    await context.clock.install()
    await page.goto('/patients')
    await signIn(page, nurse.user.email)
    await page.getByRole('button', { name: 'Add Patient' }).first().click()
    await page.getByRole('dialog').getByLabel('First name').first().fill('Draft')
    await context.clock.fastForward(59 * minute)
    await expectLocked(page)
    const changed = await owner.client.patch(`/api/team/${nurse.user.id}`, { role: 'staff', why: 'Front desk' })
    expect(changed.status).toBe(200)
    const reloaded = page.waitForEvent('load')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await reloaded
    await page.getByRole('heading', { name: 'Patient Management' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await context.close()
  })

  it.runIf(isLongRun)('lets the user sign out of a locked window, so that another one can sign in', async () => {
    const { page: first, context, complaints } = await openWindow(browser, { url: app.url })
    await context.clock.install()
    await signInToPatients(first)
    const second = await context.newPage()
    await showPatients(second)
    // A window that has not loaded its timer yet would be left by the sign-out of the other one instead of being locked by it.
    await context.clock.fastForward(57 * minute)
    await Promise.all([first, second].map((page) => warning(page).waitFor()))
    await context.clock.fastForward(2 * minute)
    await Promise.all([first, second].map(expectLocked))
    await first.getByRole('button', { name: 'Sign out' }).click()
    for (const page of [first, second]) {
      await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
      expect(await page.content()).not.toMatch(/Hopper|Lamarr/)
    }
    const next = await newOwner(app, { selectedPlan: 'starter' })
    await signIn(first, next.registration.email)
    await first.getByRole('heading', { name: 'Patient Management' }).waitFor()
    expect(await first.content()).not.toContain('Hopper')
    expect(complaints).toEqual([])
    await context.close()
  })

  it.runIf(isLongRun)(
    'keeps the user who is active in one tab signed in, although another one received no message of that',
    async () => {
      const { page: first, context, complaints } = await openWindow(browser, { url: app.url })
      await context.clock.install()
      const before = await countSessions()
      await signInToPatients(first)
      const second = await context.newPage()
      // As in a tab that the browser has suspended.
      await second.addInitScript('BroadcastChannel.prototype.addEventListener = () => undefined')
      await showPatients(second)
      const signOuts: string[] = []
      context.on('request', (request) => {
        if (new URL(request.url()).pathname === '/api/logout') signOuts.push(request.url())
      })

      const loadLastInput = (page: Page) => page.evaluate<string>(`localStorage.getItem('everchart.last-input')`)
      const earlier = await loadLastInput(first)
      await context.clock.fastForward(30 * minute)
      await first.bringToFront()
      await first.mouse.move(200, 200)
      await first.mouse.move(210, 210)
      await expect.poll(() => loadLastInput(first)).not.toBe(earlier)
      // Chromium shares the storage of its tabs with a delay, during which none of them is suspended for half an hour.
      const stored = await loadLastInput(first)
      await expect.poll(() => loadLastInput(second)).toBe(stored)
      await context.clock.fastForward(29 * minute)
      await second.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
      for (const page of [second, first]) {
        await page.getByRole('link', { name: 'Appointments' }).first().click()
        await page.getByRole('button', { name: 'Schedule Appointment' }).first().waitFor()
      }
      expect(signOuts).toEqual([])
      expect(await countSessions()).toBe(before + 1)
      expect(complaints).toEqual([])

      await first.getByRole('button', { name: 'Sign Out' }).click()
      await first.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
      expect(await first.evaluate<unknown>(`localStorage.getItem('everchart.last-input')`)).toBeNull()
      await context.close()
    },
  )

  itLong('leaves the other tabs too when one of them signs out', async () => {
    const { page: first, context, complaints } = await openWindow(browser, { url: app.url })
    await signInToPatients(first)
    const second = await context.newPage()
    await showPatients(second)
    await first.getByRole('button', { name: 'Sign Out' }).click()
    await Promise.all(
      [first, second].map((page) => page.getByRole('button', { name: 'Sign In', exact: true }).waitFor()),
    )
    expect(await second.content()).not.toContain('Hopper')
    expect(complaints).toEqual([])
    await context.close()
  })

  it.runIf(isLongRun)('leaves the tabs of one user when another one signs in', async () => {
    const next = await newOwner(app, { selectedPlan: 'starter' })
    const { page: first, context, complaints } = await openWindow(browser, { url: app.url })
    await first.goto('/patients')
    const second = await context.newPage()
    // A form that was left open before the first user signed in.
    await second.goto('/auth')
    // Once anyone has signed in, the page would redirect instead.
    await second.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
    await signIn(first)
    await first.getByText('Grace Hopper').first().waitFor()

    await signIn(second, next.registration.email)
    await second.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await first.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
    expect(await first.content()).not.toContain('Hopper')
    expect(complaints).toEqual([])
    await context.close()
  })
})
