/** Page for unknown addresses. */
export function NotFoundPage() {
  return (
    <section className="wrap text-head not-found">
      <h1>404 Page Not Found</h1>
      <p className="lead">This page does not exist. Check that the address is complete.</p>
      <p className="actions">
        <a className="button primary" href="/">
          Back to home
        </a>
        <a className="button" href="/help">
          Help
        </a>
      </p>
    </section>
  )
}
