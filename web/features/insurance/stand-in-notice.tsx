import { InfoRegular } from '@fluentui/react-icons/svg/info'
import type { ReactNode } from 'react'
import { Notice } from '#web/ui/notice.tsx'

/** Says that no insurer is asked: rules check form and dates, and a person verifies the coverage. */
export function StandInNotice({ children }: { children?: ReactNode }) {
  return (
    <Notice tone="neutral" icon={InfoRegular} title="No clearinghouse connected" role="note">
      {children ?? 'Everchart checks the form and the dates. A verification stays pending until a person verifies it.'}
    </Notice>
  )
}
