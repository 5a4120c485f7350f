import { NewsletterForm } from './newsletter-form.tsx'
import { MailLink } from './parts.tsx'

const sections = [
  ['Features', '/#features'],
  ['Pricing', '/#pricing'],
  ['Testimonials', '/#testimonials'],
  ['Help', '/help'],
] as const

const footerLinks = [
  {
    title: 'Product',
    links: [
      ['AI Insights', '/features/ai-insights'],
      ['Smart Scheduling', '/features/smart-scheduling'],
      ['Intelligent Forms', '/features/intelligent-forms'],
      ['Patient Management', '/features/patient-management'],
      ['Analytics', '/features/analytics'],
      ['Team Management', '/features/team-management'],
    ],
  },
  {
    title: 'Everchart',
    links: [
      ['Pricing', '/pricing'],
      ['Live demo', '/demo'],
      ['Help', '/help'],
      ['Security', '/security'],
      ['API', '/api/docs'],
    ],
  },
  {
    title: 'Legal',
    links: [
      ['Privacy', '/privacy'],
      ['Terms', '/terms'],
      ['Accessibility', '/accessibility'],
    ],
  },
] as const

/** The logo: a pulse line that is the bar of an "e" and continues into its ring. */
function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <path d="M2 17.5h7.2l2.6-5.6 4.4 10 2.7-4.4H28A11.6 11.6 0 1 0 24.4 25" />
    </svg>
  )
}

/** On the landing page the sections are on the same page, also at its other address. */
const toSection = (href: string, isLanding: boolean) => (isLanding && href.startsWith('/#') ? href.slice(1) : href)

/** Header of the public pages. The script shows its part for signed-in users. */
export function SiteHeader({ isLanding }: { isLanding: boolean }) {
  const links = sections.map(([label, href]) => (
    <a key={href} href={toSection(href, isLanding)}>
      {label}
    </a>
  ))
  return (
    <header className="nav wrap">
      <a className="brand" href="/">
        <Mark />
        Everchart
      </a>
      <nav className="nav-links" aria-label="Sections">
        {links}
      </nav>
      <div className="nav-end" data-signed-out>
        <a className="quiet-link" href="/auth">
          Sign In
        </a>
        <a className="button" href="/pricing">
          View Pricing
        </a>
      </div>
      <div className="nav-end" data-signed-in hidden>
        <span className="welcome">
          Welcome back, <span data-first-name />
        </span>
        <button type="button" className="quiet-link" data-sign-out>
          Logout
        </button>
        <a className="button" href="/dashboard">
          Dashboard
        </a>
      </div>
      <details className="menu">
        <summary aria-label="Menu">
          <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
            <path d="M4 7h16M4 12h16M4 17h16" />
          </svg>
        </summary>
        <nav aria-label="Menu">
          {links}
          <a href="/pricing">View Pricing</a>
          <a href="/dashboard" data-signed-in hidden>
            Dashboard
          </a>
        </nav>
      </details>
    </header>
  )
}

/** Footer of the public pages, with the newsletter. */
export function SiteFooter() {
  return (
    <footer className="foot">
      <div className="wrap foot-grid">
        <NewsletterForm />
        <div className="foot-links">
          {footerLinks.map(({ title, links }) => (
            <nav key={title} aria-label={title}>
              <h2>{title}</h2>
              {links.map(([label, href]) => (
                <a key={href} href={href}>
                  {label}
                </a>
              ))}
              {title === 'Everchart' && <MailLink subject="Support">Support</MailLink>}
              {title === 'Everchart' && (
                <MailLink isSales subject="Sales">
                  Contact Sales
                </MailLink>
              )}
            </nav>
          ))}
        </div>
        <p className="small">
          Everchart, Healthcare Management. Every figure and name on these pages is of a sample practice.
        </p>
      </div>
    </footer>
  )
}
