import { usePopoverContext_unstable as usePopoverContext } from '@fluentui/react-components'
import { type RefObject, useLayoutEffect } from 'react'

/** Names the button that opens the popover around it: there the focus returns, and a click on it is not one outside. */
export function PopoverOpener({ button }: { button: HTMLButtonElement }): null {
  const trigger = usePopoverContext(({ triggerRef }) => triggerRef) as RefObject<HTMLElement | null>
  useLayoutEffect(() => void Object.assign(trigger, { current: button }), [trigger, button])
  return null
}
