import { LinkButton } from '#web/ui/link-button.tsx'
import { PublicMessage } from '#web/ui/public-message.tsx'

/** Every address that leads nowhere. */
export function NotFound() {
  return (
    <PublicMessage title="404 Page Not Found" hint="This address leads nowhere. Perhaps it was copied incompletely.">
      <LinkButton to="/">Back to the start</LinkButton>
    </PublicMessage>
  )
}
