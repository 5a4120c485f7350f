import { makeStyles } from '@fluentui/react-components'
import type { ReactNode } from 'react'
import { Drawer } from '#web/ui/drawer.tsx'

const useStyles = makeStyles({ drawer: { width: '272px', overflowY: 'auto' } })

type NavigationDrawerProps = { isOpen: boolean; onClose: () => void; children: ReactNode }

/** Drawer with the sidebar, where the window has no room for it. */
export function NavigationDrawer({ isOpen, onClose, children }: NavigationDrawerProps) {
  const styles = useStyles()
  return (
    <Drawer className={styles.drawer} isOpen={isOpen} position="start" onClose={onClose} aria-label="Menu">
      {children}
    </Drawer>
  )
}
