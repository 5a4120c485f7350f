import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type AutomationSwitch, listAutomationSwitches, switchAutomation } from '#contracts/automation.ts'
import type { SwitchableAutomation } from '#contracts/values/automation.ts'
import { call, errorMessage } from '#web/api/call.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { automationKeys } from '../automation-keys.ts'
import { switchTexts } from './switch-texts.ts'

/** Query for what is switched on and off. */
export const switchesQuery = queryOptions({
  queryKey: automationKeys.switches,
  queryFn: ({ signal }) => call(listAutomationSwitches, {}, signal),
  staleTime: 0,
})

/** Returns the function that switches one on or off, and the one that is being switched. Shows the result as a toast. */
export function useSwitch() {
  const queries = useQueryClient()
  const notify = useNotify()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ automation, isOn }: { automation: SwitchableAutomation; isOn: boolean }) =>
      call(switchAutomation, { body: { automation, isOn } }),
    onSuccess: (changed) => {
      queries.setQueryData<AutomationSwitch[]>(automationKeys.switches, (known) =>
        known?.map((each) => (each.automation === changed.automation ? changed : each)),
      )
      notify({ title: changed.isOn ? 'Switched on' : 'Switched off', body: switchTexts[changed.automation].label })
    },
    onError: (error) => notify({ title: 'Failed to switch', body: errorMessage(error), intent: 'error' }),
    onSettled: () => queries.invalidateQueries({ queryKey: automationKeys.switches }),
  })
  return { change: mutate, changing: isPending ? variables.automation : null }
}
