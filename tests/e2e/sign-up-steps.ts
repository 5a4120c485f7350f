import type { Page } from 'playwright'
import type { registrationForm } from '#tests/support/practice.ts'

/** Fills the registration form without sending it. */
export async function fillRegistration(page: Page, person: ReturnType<typeof registrationForm>): Promise<void> {
  for (const [label, value] of [
    ['First name', person.firstName],
    ['Last name', person.lastName],
    ['Email', person.email],
    ['Username', person.username],
    ['Password', person.password],
    ['Confirm password', person.password],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(value)
}

/** Fills the form of a new practice, except for its specialty. */
export async function fillPractice(page: Page): Promise<void> {
  await page.getByLabel('Practice name').fill('Harbor Clinic')
  await page.getByLabel('Address').fill('418 Harbor Street, Lakeside')
  await page.getByLabel('Phone').fill('(617) 555-0100')
}

/** Chooses a specialty of a new practice. */
export async function chooseSpecialty(page: Page): Promise<void> {
  await page
    .getByLabel(/specialt/i)
    .first()
    .click()
  await page.getByRole('option', { name: 'Family Medicine' }).click()
  await page.keyboard.press('Escape')
}
