import { Text } from '@fluentui/react-components'
import { PauseCircleRegular } from '@fluentui/react-icons/svg/pause-circle'
import { useQuery } from '@tanstack/react-query'
import type { SwitchableAutomation } from '#contracts/values/automation.ts'
import { useFormatInstant } from '#web/entities/practices/practice-time.ts'
import { Notice } from '#web/ui/notice.tsx'
import { switchesQuery } from './api.ts'
import { describeSwitch, switchTexts } from './switch-texts.ts'

/** Says that an automation is switched off, since when and by whom; nothing while it is on. */
export function SwitchedOffNotice({ automation }: { automation: SwitchableAutomation }) {
  const { data } = useQuery(switchesQuery)
  const formatInstant = useFormatInstant()
  const found = data?.find((each) => each.automation === automation)
  if (!found || found.isOn) return null
  return (
    <Notice tone="warning" icon={PauseCircleRegular} title={switchTexts[automation].off} role="status">
      <Text>{describeSwitch(found, formatInstant)}</Text>
    </Notice>
  )
}
