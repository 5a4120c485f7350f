import { Button } from '@fluentui/react-components'
import { ArrowClockwiseRegular } from '@fluentui/react-icons/svg/arrow-clockwise'
import { CloudErrorRegular } from '@fluentui/react-icons/svg/cloud-error'
import { StateFrame } from './state-frame.tsx'

type ErrorStateProps = { title: string; hint: string; isCompact?: boolean; onRetry?: () => void }

/** Content that could not be loaded, with a retry button. The title says what failed, never only a code. */
export function ErrorState({ title, hint, isCompact = false, onRetry }: ErrorStateProps) {
  return (
    <StateFrame role="alert" icon={<CloudErrorRegular aria-hidden />} title={title} hint={hint} isCompact={isCompact}>
      <Button size={isCompact ? 'small' : 'medium'} icon={<ArrowClockwiseRegular />} onClick={onRetry}>
        Try again
      </Button>
    </StateFrame>
  )
}
