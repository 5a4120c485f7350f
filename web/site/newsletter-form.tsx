/**
 * Subscribes to the newsletter. Without script it is a plain form, answered by a page; the script sends it and says beside the
 * field what happened. `website` is hidden from people: programs that fill it in are ignored.
 */
export function NewsletterForm() {
  return (
    <form className="news" action="/api/newsletter/subscribe" method="post" data-newsletter>
      <label htmlFor="newsletter-email">One letter a month on running a practice well</label>
      <div className="field">
        <input
          id="newsletter-email"
          name="email"
          type="email"
          required
          placeholder="you@practice.com"
          autoComplete="email"
          aria-describedby="newsletter-note"
        />
        <button className="button primary">Subscribe</button>
      </div>
      <div className="trap" aria-hidden="true">
        <label htmlFor="newsletter-website">Leave this field empty</label>
        <input id="newsletter-website" name="website" tabIndex={-1} autoComplete="off" />
      </div>
      <p id="newsletter-note" className="small" role="status" data-note>
        We send a confirmation first. Unsubscribe with one click.
      </p>
    </form>
  )
}
