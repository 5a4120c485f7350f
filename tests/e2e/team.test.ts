import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inviteTo, newMember } from '#tests/support/members.ts'
import { newOwner, newUser, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import {
  dismissToasts,
  expectAccessible,
  expectNoSidewaysScroll,
  expectToastAccessible,
  launchBrowser,
  openWindow,
  takePicture,
} from './browser.ts'
import { looks } from './looks.ts'
import { itLong } from '#tests/support/long.ts'

describe('the team', () => {
  let app: TestApp
  let browser: Browser
  let owner: Awaited<ReturnType<typeof newOwner>>

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    owner = await newOwner(app, { selectedPlan: 'starter' })
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  async function openAs(email: string, look: Partial<(typeof looks)[number]> = {}) {
    const screen = await openWindow(browser, { ...look, url: app.url })
    await screen.page.request.post('/api/login', { data: { email, password } })
    return screen
  }
  const toPath = (link: string) => new URL(link).pathname
  const member = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
  async function chooseAction(page: Page, name: string, action: string) {
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }

  it('is joined by invitation; a change of role is seen live, and a suspension ends the screen', async () => {
    const { page, complaints, context } = await openAs(owner.registration.email)
    await page.goto('/')
    await page.getByRole('link', { name: 'Team', exact: true }).click()
    await page.getByText('No open invitations').waitFor()
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog', { name: 'Invite to the team' })
    await dialog.getByLabel('Email').fill('robin.reyes@example.test')
    await dialog.getByLabel('Role').selectOption('nurse')
    await page.keyboard.press('Enter')
    const shown = page.getByRole('alertdialog', { name: 'The invitation for robin.reyes@example.test' })
    const link = await shown.getByLabel('Link').inputValue()
    await shown.getByRole('button', { name: 'Done' }).click()
    await page.getByText('1 member, 1 open invitation').waitFor()

    const other = await openWindow(browser, { url: app.url })
    await other.page.goto(toPath(link))
    await other.page.getByRole('heading', { name: 'Join Harbor Clinic' }).waitFor()
    await other.page.getByRole('button', { name: 'Accept invitation' }).click()
    await other.page.getByText('Please enter your first name').waitFor()
    for (const text of ['Robin', 'Reyes', 'robin.reyes', password]) {
      await other.page.keyboard.type(text)
      await other.page.keyboard.press('Tab')
    }
    await other.page.getByLabel('Password', { exact: true }).press('Enter')
    await other.page.getByText('Dashboard Overview').waitFor()
    await other.page.getByText('Nurse', { exact: true }).waitFor()
    expect(await other.page.getByRole('link', { name: 'Team', exact: true }).count()).toBe(0)

    // Seen by the owner without a reload.
    await member(page, 'Robin Reyes').getByText('Nurse').waitFor()
    await page.getByText('No open invitations').waitFor()

    await chooseAction(page, 'Robin Reyes', 'Change role')
    await page.getByRole('dialog').getByLabel('Role').selectOption('administrator')
    await page.getByRole('dialog').getByLabel('Reason').fill('Runs the office')
    await page.keyboard.press('Enter')
    await member(page, 'Robin Reyes').getByText('Administrator').waitFor()
    await other.page.getByText('Administrator', { exact: true }).waitFor()
    await other.page.getByRole('link', { name: 'Team', exact: true }).click()
    await member(other.page, 'Robin Reyes (you)').waitFor()

    await chooseAction(page, 'Robin Reyes', 'Suspend')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click()
    await member(page, 'Robin Reyes').getByText('Suspended').waitFor()
    await other.page.getByRole('heading', { name: 'Good to see you' }).waitFor()
    await other.page.getByLabel('Email').fill('robin.reyes@example.test')
    await other.page.getByLabel('Password', { exact: true }).fill(password)
    await other.page.keyboard.press('Enter')
    await other.page.getByRole('alert').getByText('Your access to this practice was suspended.').waitFor()

    await chooseAction(page, 'Robin Reyes', 'Reinstate')
    await member(page, 'Robin Reyes').getByText('Active').waitFor()
    await other.page.keyboard.press('Enter')
    await member(other.page, 'Robin Reyes (you)').waitFor()
    expect([...complaints, ...other.complaints]).toEqual([])
    await other.context.close()
    await context.close()
  })

  itLong.each(looks)('is accessible with no data, with a little, and in every dialog: $name', async (look) => {
    const small = await newOwner(app, { selectedPlan: 'starter' })
    const { page, complaints, context } = await openAs(small.registration.email, look)
    await page.goto('/team')
    await page.getByText('No open invitations').waitFor()
    await expectAccessible(page, 'alone')
    await expectNoSidewaysScroll(page)
    await takePicture(page, `team alone ${look.name}`)
    const nurse = await newMember(app, small.practice.id, 'nurse')
    await newMember(app, small.practice.id, 'reviewer')
    await small.client.patch(`/api/team/${nurse.user.id}`, { suspended: true })
    await inviteTo(small.practice.id, 'sam.rivers@example.test', 'doctor', { isProvider: true })
    await page.getByText('3 members, 1 open invitation').waitFor()
    await page.getByText('Suspended').waitFor()
    await expectAccessible(page, 'a little')
    await expectNoSidewaysScroll(page)
    await takePicture(page, `team a little ${look.name}`)
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    const form = page.getByRole('dialog', { name: 'Invite to the team' })
    await form.getByLabel('Role').selectOption('reviewer')
    await form.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByText('Please enter a valid email address').waitFor()
    await page.getByText('Please enter the last day of access').waitFor()
    await expectAccessible(page, 'invite')
    await takePicture(page, `team invite ${look.name}`)
    await form.getByLabel('Email').fill('sam.rivers@example.test')
    await form.getByLabel('Role').selectOption('staff')
    await form.getByRole('button', { name: 'Send invitation' }).click()
    await form.getByText('This person was invited already.').waitFor()
    await form.getByLabel('Email').fill('kim@example.test')
    await form.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByRole('alertdialog').getByLabel('Link').waitFor()
    await expectAccessible(page, 'link')
    await takePicture(page, `team link ${look.name}`)
    await page.getByRole('button', { name: 'Done' }).click()
    await chooseAction(page, 'kim@example.test', 'Send again')
    await page.getByRole('alertdialog').getByLabel('Link').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await chooseAction(page, 'kim@example.test', 'Revoke')
    await expectAccessible(page, 'revoke')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
    await expectToastAccessible(page, 'Invitation revoked', look.name)
    await dismissToasts(page)
    await page.getByRole('button', { name: 'Actions for Ada Okafor' }).first().click()
    await page.getByRole('menuitem', { name: 'Link to a provider' }).click()
    await page.getByRole('dialog').getByLabel('Provider').waitFor()
    await expectAccessible(page, 'provider')
    await takePicture(page, `team provider ${look.name}`)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.route('**/api/team', (route) => route.abort())
    await page.reload()
    await page.getByText('The team could not be loaded').waitFor()
    await expectAccessible(page, 'failed')
    // A live update may fetch it before the button does.
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await page.unroute('**/api/team')
    await page.reload()
    await page.getByText('3 members, 1 open invitation').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  itLong.each(looks)('explains every state of a link: $name', async (look) => {
    const { practice } = owner
    const { page, complaints, context } = await openWindow(browser, { ...look, url: app.url })
    const invite = async (email: string) => `/invitations/${await inviteTo(practice.id, email, 'nurse')}`
    const expectTitle = async (path: string, title: string) => {
      await page.goto(path)
      await page.getByRole('heading', { name: title }).waitFor()
      await expectAccessible(page, title)
      await expectNoSidewaysScroll(page)
      await takePicture(page, `link ${title} ${look.name}`)
    }
    const fresh = `${look.name.replaceAll(/\W+/g, '')}.fresh@example.test`
    const open = await invite(fresh)
    await expectTitle(open, 'Join Harbor Clinic')
    const id = open.split('/').at(-1)?.split('.')[0]
    await owner.client.post(`/api/team/invitations/${id}/resend`)
    await expectTitle(open, 'There is a newer invitation')
    const revoked = await invite(`${look.name.replaceAll(/\W+/g, '')}.gone@example.test`)
    await owner.client.delete(`/api/team/invitations/${revoked.split('/').at(-1)?.split('.')[0]}`)
    await expectTitle(revoked, 'This invitation was withdrawn')
    await expectTitle('/invitations/unknown', 'This link is not valid')
    const elsewhere = await newOwner(app)
    await page.goto(await invite(elsewhere.user.email))
    await page.getByText('This address belongs to another practice').waitFor()
    await expectAccessible(page, 'in practice')
    await takePicture(page, `link in practice ${look.name}`)
    expect(complaints).toEqual([])
    await context.close()
  })

  itLong('lets the user of an account without a practice sign in and join', async () => {
    const lonely = await newUser(app)
    const path = `/invitations/${await inviteTo(owner.practice.id, lonely.user.email, 'doctor')}`
    const stranger = await newUser(app)
    const { page, complaints, context } = await openAs(stranger.registration.email)
    await page.goto(path)
    await page.getByRole('button', { name: 'Sign out Ada Okafor' }).click()
    await page.getByLabel('Email').fill(lonely.registration.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Join Harbor Clinic' }).click()
    await page.getByText('Dashboard Overview').waitFor()
    await page.getByText('Doctor', { exact: true }).waitFor()
    await page.goto(path)
    await page.getByRole('heading', { name: 'This invitation was accepted already' }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  itLong('is not shown to members who may not manage it', async () => {
    const nurse = await newMember(app, owner.practice.id, 'nurse')
    const { page, context } = await openAs(nurse.registration.email)
    await page.goto('/team')
    await page.getByText('The team is for the owner and administrators').waitFor()
    await expectAccessible(page, 'locked')
    await context.close()
  })

  itLong.each(looks)('lets a reviewer read, and offers nothing that the role refuses: $name', async (look) => {
    await owner.client.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper', medicalHistory: 'Asthma' })
    const reviewer = await newMember(app, owner.practice.id, 'reviewer')
    const { page, complaints, context } = await openAs(reviewer.registration.email, look)
    const refused: string[] = []
    page.on('response', (reply) => reply.status() === 403 && refused.push(new URL(reply.url()).pathname))
    await page.goto('/')
    await page.getByText('Recent Patient Activity').waitFor()
    await page.getByText('Grace Hopper').first().waitFor()
    expect(await page.getByRole('button', { name: 'Quick Add' }).count()).toBe(0)
    expect(await page.getByText("Today's Schedule").count()).toBe(0)
    await expectAccessible(page, 'dashboard')
    await takePicture(page, `reviewer dashboard ${look.name}`)
    await page.goto('/patients')
    await page.getByRole('button', { name: 'Actions for Grace Hopper' }).first().click()
    await page.getByRole('menuitem', { name: 'View Details' }).waitFor()
    expect(await page.getByRole('menuitem').count()).toBe(1)
    await page.keyboard.press('Enter')
    await page.getByText('Asthma').waitFor()
    expect(await page.getByRole('heading', { name: 'Appointments' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: /^(Edit|Add) Patient/ }).count()).toBe(0)
    expect(refused).toEqual([])
    await page.goto('/appointments')
    await page.getByText('Your role does not include appointments').waitFor()
    await page.goto('/patients/import')
    await page.getByText('Your role does not include adding patients').waitFor()
    await expectAccessible(page, 'import')
    expect(complaints).toEqual([])
    await context.close()
  })
})
