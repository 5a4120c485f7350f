import type { Context } from 'koa'
import { escapeHtml } from './escape-html.ts'

/** A button that posts `answer` to the page's own address. A `quiet` one is less prominent. */
export type NoticeChoice = { label: string; answer: string; quiet?: true }

/**
 * A small page with one message. `action` is the label of a button that posts to the page's own address; `choices` are several
 * of them. `link` leads on.
 */
export type NoticePage = {
  title: string
  text: string
  action?: string
  choices?: readonly NoticeChoice[]
  link?: { label: string; path: string }
  /** A text that can be written and posted under `name`. */
  field?: { name: string; label: string; action: string; maxLength: number }
  /** BCP 47; English unless given. */
  language?: string
}

/** Renders a page without script, styled by `/site.css`. */
export function renderNoticePage({
  title,
  text,
  action,
  choices = [],
  field,
  link,
  language = 'en',
}: NoticePage): string {
  const forms = choices.map(
    ({ label, answer, quiet }) => `
      <form method="post"${quiet ? ' class="quiet"' : ''}><button type="submit" name="answer" value="${escapeHtml(answer)}">${escapeHtml(label)}</button></form>`,
  )
  const writing = field
    ? `
      <form method="post"><label>${escapeHtml(field.label)}<textarea name="${escapeHtml(field.name)}" rows="4" maxlength="${field.maxLength}" required dir="auto"></textarea></label><button type="submit">${escapeHtml(field.action)}</button></form>`
    : ''
  const lead = link
    ? `
      <p><a href="${escapeHtml(link.path)}">${escapeHtml(link.label)}</a></p>`
    : ''
  const button =
    action === undefined
      ? ''
      : `
      <form method="post"><button type="submit">${escapeHtml(action)}</button></form>`
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>${escapeHtml(title)} · Everchart</title>
    <link rel="stylesheet" href="/site.css" />
  </head>
  <body class="notice-page">
    <main>
      <h1>${escapeHtml(title)}</h1>
      <p>${escapeHtml(text)}</p>${button}${forms.join('')}${writing}${lead}
      <p><a href="/">Everchart</a></p>
    </main>
  </body>
</html>
`
}

/** Stricter than the policy of the web app: a page has no script and no style of its own. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/** Replies with a page. */
export function sendNoticePage(ctx: Context, page: NoticePage): void {
  ctx.set({ 'Content-Security-Policy': contentSecurityPolicy, 'Cache-Control': 'no-store' })
  ctx.type = 'html'
  ctx.body = renderNoticePage(page)
}
