import { Button } from '@fluentui/react-components'
import { InfoRegular } from '@fluentui/react-icons/svg/info'
import { ShieldCheckmarkRegular } from '@fluentui/react-icons/svg/shield-checkmark'
import type { ReactNode } from 'react'
import type { InsuranceVerification } from '#contracts/insurance.ts'
import type { PolicyCheck } from '#contracts/values/eligibility.ts'
import { useFormatInstant } from '#web/entities/practices/practice-time.ts'
import { Notice } from '#web/ui/notice.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { useAskInsurer } from './api.ts'
import { describeInsurer } from './labels.ts'

/** Says that no insurer is asked: rules check form and dates, and a person verifies the coverage. */
export function StandInNotice({ children }: { children?: ReactNode }) {
  return (
    <Notice tone="neutral" icon={InfoRegular} title="No clearinghouse connected" role="note">
      {children ?? 'Everchart checks the form and the dates. A verification stays pending until a person verifies it.'}
    </Notice>
  )
}

/** Says how a new verification is checked. */
export function CheckNotice({ check }: { check: PolicyCheck }) {
  if (check === 'stand-in') return <StandInNotice />
  return check === 'on-request' ? (
    <Notice tone="neutral" icon={InfoRegular} title="Insurers are asked on request only" role="note">
      Your practice has switched off that they are asked by themselves. Ask from the verification once it is added.
    </Notice>
  ) : (
    <Notice tone="neutral" icon={ShieldCheckmarkRegular} title="The insurer is asked" role="note">
      A pending verification is sent to the insurer, and decided by its answer.
    </Notice>
  )
}

/** Describes when the insurer was asked, or has answered. */
const describeMoment = (
  { askedAt, answeredAt }: NonNullable<InsuranceVerification['eligibility']>,
  formatInstant: (instant: string) => string,
) => (answeredAt === null ? `Asked: ${formatInstant(askedAt)}` : `Answered: ${formatInstant(answeredAt)}`)

/** Shows what the insurer said of a verification; a pending or verified one can be asked about, or again. */
export function InsurerNotice({ verification }: { verification: InsuranceVerification }) {
  const { tone, title, text } = describeInsurer(verification)
  const { askAgain, isAsking } = useAskInsurer()
  const formatInstant = useFormatInstant()
  const { verificationStatus, eligibility, check } = verification
  const isFirst = eligibility === null && (check.by === 'on-request' || verificationStatus === 'verified')
  const moment = eligibility && describeMoment(eligibility, formatInstant)
  const isOpen = verificationStatus === 'pending' || verificationStatus === 'verified'
  const canAsk = isOpen && (isFirst || eligibility?.outcome)
  return (
    <Notice
      tone={tone}
      icon={ShieldCheckmarkRegular}
      title={title}
      role="status"
      actions={
        canAsk && (
          <Button size="small" disabledFocusable={isAsking} onClick={() => askAgain(verification)}>
            {isFirst ? 'Ask the insurer' : 'Ask again'}
          </Button>
        )
      }
    >
      {text}
      {moment && <SecondaryText>{moment}</SecondaryText>}
    </Notice>
  )
}
