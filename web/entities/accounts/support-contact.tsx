import { mergeClasses } from '@fluentui/react-components'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { getSupportContact } from '#contracts/support.ts'
import { call } from '#web/api/call.ts'
import { useLinkStyles } from '#web/ui/link-styles.ts'

const supportContactQuery = queryOptions({
  queryKey: ['support'],
  queryFn: ({ signal }) => call(getSupportContact, {}, signal),
  // The operator changes it with a restart.
  staleTime: Infinity,
})

/** Returns the e-mail address of the operator's support; null while it is not known, and where none is configured. */
export const useSupportEmail = (): string | null => useQuery(supportContactQuery).data?.email ?? null

/** Link that writes a message with a subject to the support. */
export function SupportLink({ email, subject }: { email: string; subject: string }) {
  const styles = useLinkStyles()
  return (
    <a
      className={mergeClasses(styles.link, styles.breakable)}
      href={`mailto:${email}?subject=${encodeURIComponent(subject)}`}
    >
      {email}
    </a>
  )
}
