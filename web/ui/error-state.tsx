import { Button } from '@fluentui/react-components'
import { ArrowClockwiseRegular } from '@fluentui/react-icons/svg/arrow-clockwise'
import { CloudErrorRegular } from '@fluentui/react-icons/svg/cloud-error'
import { StateFrame } from './state-frame.tsx'

/** Content that could not be loaded, with a retry button. The title says what failed, never only a code. */
export function ErrorState({ title, hint, onRetry }: { title: string; hint: string; onRetry?: () => void }) {
  return (
    <StateFrame role="alert" icon={<CloudErrorRegular aria-hidden />} title={title} hint={hint}>
      <Button icon={<ArrowClockwiseRegular />} onClick={onRetry}>
        Try again
      </Button>
    </StateFrame>
  )
}
