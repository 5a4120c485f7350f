import { renderToStaticMarkup } from 'react-dom/server'
import { plans } from '#contracts/values/plans.ts'
import { SiteFooter, SiteHeader } from './frame.tsx'
import type { SitePage } from './page.ts'
import { PictureUrls } from './picture.tsx'
import { placeholders } from './placeholders.ts'
import type { SiteAssets } from './site-assets.ts'
import { createThemeCss } from './theme-css.ts'

const { origin } = placeholders

/** Structured data of the product (schema.org/SoftwareApplication). */
const product = {
  '@context': 'https://schema.org',
  '@type': 'SoftwareApplication',
  name: 'Everchart',
  applicationCategory: 'BusinessApplication',
  operatingSystem: 'Any, in the browser',
  url: `${origin}/`,
  description: 'Runs a medical practice: patients, appointments, intake forms and billing.',
  offers: plans.map(({ name, price }) => ({
    '@type': 'Offer',
    name,
    price: String(price),
    priceCurrency: 'USD',
    url: `${origin}/pricing`,
  })),
}

// A script with data is not executed, so the security policy allows it. "<" would end it.
const toJson = (data: object) => JSON.stringify(data).replaceAll('<', String.raw`\u003c`)

type DocumentProps = { page: SitePage; assets: SiteAssets }

function SiteDocument({ page, assets }: DocumentProps) {
  const url = `${origin}${page.path}`
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{page.title}</title>
        <meta name="description" content={page.description} />
        {assets.font && <link rel="preload" href={assets.font} as="font" type="font/woff2" crossOrigin="anonymous" />}
        <style dangerouslySetInnerHTML={{ __html: createThemeCss() + assets.css }} />
        <script type="module" src={assets.script} />
        {page.isHidden ? <meta name="robots" content="noindex" /> : <link rel="canonical" href={url} />}
        <meta property="og:type" content="website" />
        <meta property="og:site_name" content="Everchart" />
        <meta property="og:title" content={page.title} />
        <meta property="og:description" content={page.description} />
        <meta property="og:url" content={url} />
        <meta property="og:image" content={`${origin}/social.png`} />
        <meta property="og:image:width" content="1200" />
        <meta property="og:image:height" content="630" />
        <meta property="og:image:alt" content="The practice’s record that never forgets" />
        <meta name="twitter:card" content="summary_large_image" />
        <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#162120" media="(prefers-color-scheme: dark)" />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="icon" href="/mark.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        {[product, ...(page.structuredData ?? [])].map((data, index) => (
          <script key={index} type="application/ld+json" dangerouslySetInnerHTML={{ __html: toJson(data) }} />
        ))}
      </head>
      <body>
        <a className="skip" href="#content">
          Skip to content
        </a>
        <SiteHeader isLanding={page.path === '/'} />
        <main id="content">
          <PictureUrls value={assets.pictures}>{page.render()}</PictureUrls>
        </main>
        <SiteFooter />
        <div id="toasts" className="toasts" role="status" aria-live="polite" />
      </body>
    </html>
  )
}

/** Returns the complete HTML of a page, with the placeholders of the server. */
export const renderDocument = (props: DocumentProps): string =>
  `<!doctype html>${renderToStaticMarkup(<SiteDocument {...props} />)}`
