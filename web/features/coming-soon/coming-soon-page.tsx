import { useRouterState } from '@tanstack/react-router'
import { LinkButton } from '#web/ui/link-button.tsx'
import { PublicMessage } from '#web/ui/public-message.tsx'
import { getScreenTitle } from './screen-titles.ts'

/** Placeholder for future public pages. */
export function ComingSoonPage() {
  const title = getScreenTitle(useRouterState({ select: ({ location }) => location.pathname }))
  return (
    <PublicMessage
      title={title}
      hint="This page is not written yet. Create a free account and try what works today: patients, appointments and the dashboard."
      action={<LinkButton to="/auth">Sign In</LinkButton>}
    >
      <LinkButton to="/auth" search={{ tab: 'register' }} appearance="primary" size="large">
        Create Free Account
      </LinkButton>
    </PublicMessage>
  )
}
