import type { Locator, Page } from 'playwright'

/** The moment that every picture shows: a Friday morning in the practice. */
export const picturedAt = new Date('2026-11-20T15:02:30.000Z')

/** A picture of a part of a screen. */
export type Shot = {
  name: string
  path: string
  /** CSS pixels. */
  viewport: { width: number; height: number }
  /** Opens what the picture shows, and waits for it. */
  prepare: (page: Page) => Promise<unknown>
  /** The pictured part; by default the whole window. */
  part?: (page: Page) => Locator
  /** Texts that must be seen in the picture: a screen that was changed is noticed by them. */
  shows: readonly string[]
}

const desktop = { width: 1152, height: 700 }
const phone = { width: 390, height: 700 }

const waitForDashboard = async (page: Page) => {
  await page.getByRole('heading', { name: 'Dashboard Overview' }).waitFor()
  await page.getByRole('region', { name: 'Appointment Trends' }).locator('svg').first().waitFor()
}

const panel = (name: string) => (page: Page) => page.getByRole('region', { name, exact: true })

/** The pictures of the public pages: screens of a demo user with the sample practice. */
export const shots: readonly Shot[] = [
  {
    name: 'dashboard',
    path: '/',
    viewport: desktop,
    prepare: waitForDashboard,
    shows: ['Dashboard Overview', "Today's Schedule", 'Recent Patient Activity', 'Quick Add'],
  },
  {
    name: 'dashboard-phone',
    path: '/',
    viewport: phone,
    prepare: waitForDashboard,
    shows: ['Dashboard Overview', "Today's Appointments"],
  },
  {
    name: 'appointments',
    path: '/appointments',
    viewport: desktop,
    prepare: (page) =>
      page
        .getByRole('list', { name: /^Appointments/ })
        .first()
        .getByRole('button')
        .first()
        .waitFor(),
    shows: ['Appointment Management', 'Time Slots'],
  },
  {
    name: 'patient',
    path: '/patients?search=Alvarez',
    viewport: desktop,
    prepare: async (page) => {
      await page.getByRole('table').getByRole('link').first().click()
      await page.getByRole('dialog').getByText('Penicillin').waitFor()
    },
    part: (page) => page.getByRole('dialog'),
    shows: ['Penicillin', 'Contact', 'Appointments'],
  },
  {
    name: 'forms',
    path: '/',
    viewport: desktop,
    prepare: waitForDashboard,
    part: panel('Recent Forms & AI Analysis'),
    shows: ['Recent Forms & AI Analysis', 'View AI Insights'],
  },
  {
    name: 'insights',
    path: '/',
    viewport: desktop,
    prepare: waitForDashboard,
    part: panel('AI Insights'),
    shows: ['AI Insights'],
  },
  {
    name: 'trends',
    path: '/',
    viewport: desktop,
    prepare: waitForDashboard,
    part: panel('Appointment Trends'),
    shows: ['Appointment Trends'],
  },
  {
    name: 'settings',
    path: '/practice',
    viewport: desktop,
    prepare: (page) => page.getByRole('heading', { name: 'Practice Settings' }).waitFor(),
    part: panel('Calendar feeds'),
    shows: ['Calendar feeds'],
  },
]
