import type { ReactNode } from 'react'

/** A public page, rendered to HTML when the web app is built. */
export type SitePage = {
  /** `/features/analytics`. */
  path: `/${string}`
  /** Title of the browser tab and of search results. */
  title: string
  /** Text of search results and shared links: one or two sentences. */
  description: string
  /** True for a page that search engines must not list. */
  isHidden?: true
  /** Structured data for search engines (schema.org), beside that of the product. */
  structuredData?: readonly object[]
  render: () => ReactNode
}
