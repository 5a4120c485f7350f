import { makeStyles, tokens } from '@fluentui/react-components'
import { useRouterState } from '@tanstack/react-router'
import { lazy, type ReactNode, startTransition, Suspense, useCallback, useEffect, useState } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import { Page } from '#web/ui/page.tsx'
import { ShellContext } from '#web/ui/shell-context.ts'
import { createMediaQueryHook } from '#web/ui/use-media-query.ts'
import { useShortcut } from '#web/ui/shortcuts.ts'
import { createLate } from '#web/ui/late.tsx'
import { useIsPainted } from '#web/ui/use-is-painted.ts'
import { Sidebar } from './sidebar.tsx'

// Rarely opened, so not part of the first load.
const loadPalette = () => import('./command-palette.tsx').then(({ CommandPalette: it }) => it)
const NavigationDrawer = createLate(() => import('./navigation-drawer.tsx').then(({ NavigationDrawer: it }) => it))
const ShortcutHelp = lazy(() => import('./shortcut-help.tsx').then(({ ShortcutHelp: it }) => ({ default: it })))
const ChatDialog = lazy(() =>
  import('#web/features/chat/chat-dialog.tsx').then(({ ChatDialog: it }) => ({ default: it })),
)
const Bell = lazy(() => import('./bell.tsx').then(({ Bell: it }) => ({ default: it })))
const SubscriptionBanner = lazy(() =>
  import('./subscription-banner.tsx').then(({ SubscriptionBanner: it }) => ({ default: it })),
)
const EmailProofBanner = lazy(() =>
  import('./email-proof-banner.tsx').then(({ EmailProofBanner: it }) => ({ default: it })),
)
const SampleRemovalBanner = lazy(() =>
  import('./sample-removal-banner.tsx').then(({ SampleRemovalBanner: it }) => ({ default: it })),
)

const useStyles = makeStyles({
  root: {
    minHeight: '100dvh',
    backgroundColor: tokens.colorNeutralBackground2,
    color: tokens.colorNeutralForeground1,
    // Print on white.
    '@media print': { backgroundColor: 'transparent', minHeight: 0 },
  },
  skip: {
    position: 'absolute',
    left: '-9999px',
    color: tokens.colorNeutralForeground1,
    ':focus': {
      left: '8px',
      top: '8px',
      zIndex: 20,
      padding: '8px 12px',
      backgroundColor: tokens.colorNeutralBackground1,
    },
  },
  side: {
    position: 'fixed',
    top: 0,
    bottom: 0,
    left: 0,
    width: '256px',
    borderRight: `1px solid ${tokens.colorNeutralStroke2}`,
    boxSizing: 'border-box',
    overflowY: 'auto',
    // The last part stays in view, above what gets the focus.
    scrollPaddingBottom: '108px',
    '@media print': { display: 'none' },
  },
  // As wide as its button, which is loaded later.
  bell: { width: '32px', height: '32px', flexShrink: 0 },
  page: { '@media screen and (min-width: 768px)': { marginLeft: '256px' } },
})

const useHasSidebar = createMediaQueryHook('(min-width: 768px)')

type OverlayName = 'menu' | 'palette' | 'help'

/** Application frame for signed-in users: sidebar from 768 px on, a drawer below; the command palette on every screen. */
export function Shell({ user, children }: { user: CurrentUser; children: ReactNode }) {
  const styles = useStyles()
  // Not only hidden: a phone takes a while to render what it does not show.
  const hasSidebar = useHasSidebar()
  const isPainted = useIsPainted()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // Navigation closes whatever is open.
  const [overlay, setOverlay] = useState<{ name: OverlayName; path: string } | null>(null)
  const opened = overlay?.path === path ? overlay.name : null
  const open = (name: OverlayName) => setOverlay({ name, path })
  const close = () => setOverlay(null)
  // Stays open while the user follows its links.
  const [isChatOpen, setChatOpen] = useState(false)
  const closeChat = () => setChatOpen(false)
  // Preloaded, and without Suspense, which would delay it by 300 ms: users type right after pressing the shortcut.
  const [CommandPalette, setPalette] = useState<Awaited<ReturnType<typeof loadPalette>> | null>(null)
  const fetchPalette = useCallback(() => {
    // When offline, opening the palette loads it again.
    loadPalette().then(
      (it) => startTransition(() => setPalette(() => it)),
      () => undefined,
    )
  }, [])
  useEffect(() => {
    if (isPainted) fetchPalette()
  }, [isPainted, fetchPalette])
  const openPalette = () => {
    if (!CommandPalette) fetchPalette()
    open('palette')
  }
  useShortcut('Ctrl+K', 'Find patients, appointments and screens', openPalette)
  useShortcut('Ctrl+J', 'Open or close the AI assistant', () => {
    close()
    setChatOpen(!isChatOpen)
  })
  useShortcut('?', 'Show keyboard shortcuts', () => open('help'))
  const actions = {
    Frame: Page,
    bell: (
      <span className={styles.bell}>
        <Suspense fallback={null}>{isPainted && <Bell user={user} />}</Suspense>
      </span>
    ),
    openMenu: () => open('menu'),
    openPalette,
    openHelp: () => open('help'),
  }
  const openChat = () => {
    close()
    setChatOpen(true)
  }
  const sidebar = <Sidebar user={user} path={path} onChat={openChat} />
  return (
    <ShellContext value={actions}>
      <div className={styles.root}>
        <a className={styles.skip} href="#content">
          Skip to content
        </a>
        {hasSidebar && (
          <aside className={styles.side} aria-label="Sidebar">
            {sidebar}
          </aside>
        )}
        {isPainted && (
          <NavigationDrawer isOpen={opened === 'menu'} onClose={close}>
            {sidebar}
          </NavigationDrawer>
        )}
        <div className={styles.page}>
          <Suspense fallback={null}>{isPainted && <Banners user={user} path={path} />}</Suspense>
          {children}
        </div>
        {opened === 'palette' && CommandPalette && <CommandPalette onClose={close} />}
        <Suspense fallback={null}>
          {opened === 'help' && <ShortcutHelp onClose={close} />}
          {isChatOpen && <ChatDialog user={user} onClose={closeChat} />}
        </Suspense>
      </div>
    </ShellContext>
  )
}

/** Notices above every screen. */
const Banners = ({ user, path }: { user: CurrentUser; path: string }) => (
  <>
    {user.mustProveEmail && <EmailProofBanner email={user.email} />}
    {user.isRemovingSamples && <SampleRemovalBanner />}
    {(!user.isDemoUser || user.hasLapsed) && <SubscriptionBanner user={user} path={path} />}
  </>
)
