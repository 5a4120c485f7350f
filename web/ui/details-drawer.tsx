import {
  Button,
  DrawerBody,
  DrawerFooter,
  DrawerHeader,
  DrawerHeaderTitle,
  makeStyles,
  Skeleton,
  SkeletonItem,
  tokens,
} from '@fluentui/react-components'
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Drawer } from './drawer.tsx'
import { aboveToasts } from './toast-position.ts'

const useStyles = makeStyles({
  drawer: { width: '560px', maxWidth: '100%' },
  body: { ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' } },
  footer: {
    justifyContent: 'flex-end',
    flexWrap: 'wrap',
    rowGap: '8px',
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    paddingTop: '12px',
    paddingBottom: '16px',
  },
  loading: { display: 'grid', rowGap: '16px', paddingTop: '8px' },
})

type DetailsDrawerProps = {
  isOpen: boolean
  onClose: () => void
  /** The name of the drawer. */
  label: string
  /** Shown at the top; the name of the drawer without it. */
  title?: string
  closeLabel?: string
  /** Buttons before the one that closes the drawer. */
  tools?: ReactNode
  /** The name of the part that scrolls. */
  bodyLabel: string
  /** Gives the focus to the part that scrolls, so that Page Down and the arrow keys move it at once. */
  isBodyFocused?: boolean
  /** Buttons after Close; without them, Close is the main one. */
  actions?: ReactNode
  children: ReactNode
}

/** Drawer with the details of one record: title, a part that scrolls, and buttons. */
export function DetailsDrawer({
  isOpen,
  onClose,
  label,
  title = label,
  closeLabel = 'Close details',
  tools,
  bodyLabel,
  isBodyFocused = false,
  actions,
  children,
}: DetailsDrawerProps) {
  const styles = useStyles()
  return (
    <Drawer className={styles.drawer} isOpen={isOpen} onClose={onClose} aria-label={label}>
      <DrawerHeader {...aboveToasts}>
        <DrawerHeaderTitle
          heading={{ as: 'h2' }}
          action={
            <>
              {tools}
              <Button appearance="subtle" icon={<DismissRegular />} aria-label={closeLabel} onClick={onClose} />
            </>
          }
        >
          {title}
        </DrawerHeaderTitle>
      </DrawerHeader>
      <Body label={bodyLabel} isFocused={isBodyFocused}>
        {children}
      </Body>
      <DrawerFooter className={styles.footer}>
        <Button appearance={actions === undefined ? 'primary' : 'secondary'} onClick={onClose}>
          Close
        </Button>
        {actions}
      </DrawerFooter>
    </Drawer>
  )
}

/** The part that scrolls: a stop of the Tab key, unless it has the focus first. */
function Body({ label, isFocused, children }: { label: string; isFocused: boolean; children: ReactNode }) {
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // After the drawer has moved the focus to its first button.
    if (isFocused) queueMicrotask(() => body.current?.focus({ preventScroll: true }))
  }, [isFocused])
  return (
    <DrawerBody ref={body} className={useStyles().body} role="group" aria-label={label} tabIndex={isFocused ? -1 : 0}>
      {children}
    </DrawerBody>
  )
}

/** Placeholder of details that are being loaded. */
export function DetailsSkeleton({ label }: { label: string }) {
  return (
    <Skeleton className={useStyles().loading} aria-label={label}>
      <SkeletonItem size={56} />
      <SkeletonItem size={40} />
      <SkeletonItem size={120} />
    </Skeleton>
  )
}

/** Returns the latest defined value: a drawer keeps its content during the closing animation. */
export function useLastShown<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value)
  if (value !== undefined && value !== last) setLast(value)
  return value ?? last
}
