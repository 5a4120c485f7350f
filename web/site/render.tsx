import { renderDocument } from './document.tsx'
import type { SitePage } from './page.ts'
import { FeaturePage } from './pages/feature-page.tsx'
import { features } from './pages/features.ts'
import { HelpPage } from './pages/help-page.tsx'
import { LandingPage } from './pages/landing-page.tsx'
import { AccessibilityPage, PrivacyPage, TermsPage } from './pages/legal-pages.tsx'
import { NotFoundPage } from './pages/not-found-page.tsx'
import { billingFaq, PricingPage } from './pages/pricing-page.tsx'
import { SecurityPage } from './pages/security-page.tsx'
import { placeholders } from './placeholders.ts'
import type { SiteRenderer } from './site-assets.ts'
import { createThemeCss } from './theme-css.ts'

const { origin } = placeholders

/** Every public page. */
export const sitePages: readonly SitePage[] = [
  {
    path: '/',
    title: 'Everchart, the record that never forgets',
    description:
      'Appointments, patients, intake forms and billing on one calm screen, with a record that shows who did what, and when.',
    render: () => <LandingPage />,
  },
  {
    path: '/pricing',
    title: 'Pricing, Everchart',
    description:
      'One price for the whole practice: Starter $49, Professional $129, Enterprise $249 per month. 30-day free trial.',
    structuredData: [billingFaq],
    render: () => <PricingPage />,
  },
  ...features.map((feature): SitePage => ({
    path: feature.path,
    title: `${feature.name}, Everchart`,
    description: feature.lead,
    render: () => <FeaturePage feature={feature} />,
  })),
  {
    path: '/security',
    title: 'Security, Everchart',
    description: 'What is encrypted, who can read what, how the record is proven, and what Everchart does not claim.',
    render: () => <SecurityPage />,
  },
  {
    path: '/privacy',
    title: 'Privacy, Everchart',
    description: 'Which data Everchart keeps, why, for how long, and whom to ask.',
    render: () => <PrivacyPage />,
  },
  {
    path: '/terms',
    title: 'Terms, Everchart',
    description: 'What you get, what it costs, and how it ends, in plain words.',
    render: () => <TermsPage />,
  },
  {
    path: '/accessibility',
    title: 'Accessibility, Everchart',
    description: 'What Everchart does to be usable by everyone, how it is tested, and what is known to be missing.',
    render: () => <AccessibilityPage />,
  },
  {
    path: '/help',
    title: 'Help, Everchart',
    description:
      'Ten short how-tos: set up a practice, import patients, book appointments and series, change the plan.',
    render: () => <HelpPage />,
  },
  {
    path: '/404',
    title: '404 Page Not Found, Everchart',
    description: 'This page does not exist.',
    isHidden: true,
    render: () => <NotFoundPage />,
  },
]

const landingName = 'landing'

/** Returns the name of a page: its path without the slash, `landing` for `/`. */
const toName = (path: string) => path.slice(1) || landingName

/** Returns the HTML of the page at a path; undefined if there is none. */
export const renderPage: SiteRenderer['renderPage'] = (path, assets) => {
  const page = sitePages.find((each) => toName(each.path) === toName(path))
  return page && renderDocument({ page, assets })
}

/** Returns the files of the public site by their name in the build: the HTML of every page, and what search engines read. */
export const renderFiles: SiteRenderer['renderFiles'] = (assets) => ({
  ...Object.fromEntries(sitePages.map((page) => [`site/${toName(page.path)}.html`, renderDocument({ page, assets })])),
  // For pages that the server renders itself.
  'site.css': createThemeCss() + assets.css,
  'site/sitemap.xml': createSitemap(),
  'site/robots.txt': `User-agent: *\nDisallow: /api/\n\nSitemap: ${origin}/sitemap.xml\n`,
})

function createSitemap(): string {
  const urls = sitePages.filter(({ isHidden }) => !isHidden).map(({ path }) => `<url><loc>${origin}${path}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`
}
