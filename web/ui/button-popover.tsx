import {
  Popover,
  PopoverSurface,
  type PositioningShorthand,
  usePopoverContext_unstable as usePopoverContext,
} from '@fluentui/react-components'
import { type ReactNode, type RefObject, useLayoutEffect } from 'react'
import { ModalFocus } from './focus-manager.tsx'

type ButtonPopoverProps = {
  opener: HTMLButtonElement
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  positioning?: Exclude<PositioningShorthand, string>
  className: string
  'aria-label': string
  /** -1 lets the popover itself take the focus when it opens, instead of its first control. */
  tabIndex?: -1
  children: ReactNode
}

/** Popover below the button that opens it, for a screen that renders it only from then on. The focus returns when it is closed. */
export function ButtonPopover({ opener, isOpen, onOpenChange, positioning, children, ...surface }: ButtonPopoverProps) {
  return (
    <Popover
      trapFocus
      open={isOpen}
      onOpenChange={(_, { open }) => onOpenChange(open)}
      positioning={{ position: 'below', align: 'end', ...positioning, target: opener }}
    >
      <OpenedBy button={opener} />
      <PopoverSurface {...surface}>
        <ModalFocus />
        {children}
      </PopoverSurface>
    </Popover>
  )
}

/** Names the button that opens the popover around it, so that a click on it is not one outside. */
function OpenedBy({ button }: { button: HTMLButtonElement }): null {
  const trigger = usePopoverContext(({ triggerRef }) => triggerRef) as RefObject<HTMLElement | null>
  useLayoutEffect(() => void Object.assign(trigger, { current: button }), [trigger, button])
  return null
}
