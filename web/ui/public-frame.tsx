import { makeStyles, tokens } from '@fluentui/react-components'
import type { ReactNode } from 'react'
import { Brand } from './brand-mark.tsx'
import { aboveToasts } from './toast-position.ts'
import { useScreenFocus } from './use-screen-focus.ts'

const useStyles = makeStyles({
  root: {
    minHeight: '100dvh',
    display: 'grid',
    gridTemplateRows: 'auto 1fr',
    backgroundColor: tokens.colorNeutralBackground1,
    color: tokens.colorNeutralForeground1,
  },
  header: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    columnGap: '16px',
    padding: '20px 24px',
    '@media (max-width: 639px)': { padding: '16px' },
  },
  home: {
    textDecorationLine: 'none',
    borderRadius: tokens.borderRadiusMedium,
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '4px' },
  },
  main: { display: 'grid', padding: '0 24px 48px', '@media (max-width: 639px)': { padding: '0 16px 32px' } },
})

/** Frame of pages that need no sign-in. */
export function PublicFrame({ children }: { children: ReactNode }) {
  const styles = useStyles()
  useScreenFocus()
  return (
    <div className={styles.root}>
      <header className={styles.header} {...aboveToasts}>
        <a href="/" className={styles.home}>
          <Brand tagline="Healthcare Management" />
        </a>
      </header>
      <main id="content" className={styles.main}>
        {children}
      </main>
    </div>
  )
}
