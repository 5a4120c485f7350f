import { LinkButton } from '#web/ui/link-button.tsx'
import { PublicMessage } from '#web/ui/public-message.tsx'

/** Page for unknown URLs. */
export function NotFound() {
  return (
    <PublicMessage title="404 Page Not Found" hint="This page does not exist. Check that the address is complete.">
      <LinkButton to="/">Back to home</LinkButton>
    </PublicMessage>
  )
}
