import { makeStyles, OverlayDrawer } from '@fluentui/react-components'
import type { ReactNode } from 'react'
import { FocusReturn } from '#web/ui/use-focus-return.ts'

const useStyles = makeStyles({ drawer: { width: '272px', overflowY: 'auto' } })

type NavigationDrawerProps = { isOpen: boolean; onClose: () => void; children: ReactNode }

/** Drawer with the sidebar, where the window has no room for it. */
export function NavigationDrawer({ isOpen, onClose, children }: NavigationDrawerProps) {
  const styles = useStyles()
  return (
    <OverlayDrawer
      className={styles.drawer}
      open={isOpen}
      position="start"
      onOpenChange={(_, { open }) => !open && onClose()}
      aria-label="Menu"
    >
      <FocusReturn />
      {children}
    </OverlayDrawer>
  )
}
