import { OverlayDrawer } from '@fluentui/react-components'
import { type ReactNode, useState } from 'react'
import { ModalFocus } from './focus-manager.tsx'

type DrawerProps = {
  isOpen: boolean
  onClose: () => void
  /** The edge of the window from which it comes. */
  position?: 'start' | 'end'
  className: string
  'aria-label'?: string
  children: ReactNode
}

/**
 * Drawer over the screen; one at the end of the line is printed instead of the screen (base.css). The focus returns to where it came from when it is closed. It is rendered from when it is opened first: a
 * closed one would already put the hidden elements on the page with which Fluent keeps the focus inside.
 */
export function Drawer({ isOpen, onClose, position = 'end', className, children, ...label }: DrawerProps) {
  const [wasOpened, setWasOpened] = useState(isOpen)
  if (isOpen && !wasOpened) setWasOpened(true)
  if (!wasOpened) return null
  return (
    <OverlayDrawer
      {...label}
      data-printed-alone={position === 'end'}
      className={className}
      position={position}
      open={isOpen}
      onOpenChange={(_, { open }) => !open && onClose()}
    >
      <ModalFocus />
      {children}
    </OverlayDrawer>
  )
}
