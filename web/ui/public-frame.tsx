import { makeStyles, tokens } from '@fluentui/react-components'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Brand } from './brand-mark.tsx'
import { aboveToasts } from './toast-position.ts'

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
  visuallyHidden: { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' },
  main: { display: 'grid', padding: '0 24px 48px', '@media (max-width: 639px)': { padding: '0 16px 32px' } },
})

type PublicFrameProps = {
  /** Heading for screen readers, when the content has no visible one. */
  title?: string
  children: ReactNode
  action?: ReactNode
}

/** Frame of pages that need no sign-in. */
export function PublicFrame({ title, children, action }: PublicFrameProps) {
  const styles = useStyles()
  return (
    <div className={styles.root}>
      <header className={styles.header} {...aboveToasts}>
        <Link to="/" className={styles.home}>
          <Brand tagline="Healthcare Management" />
        </Link>
        {action}
      </header>
      <main id="content" className={styles.main}>
        {title && <h1 className={styles.visuallyHidden}>{title}</h1>}
        {children}
      </main>
    </div>
  )
}
