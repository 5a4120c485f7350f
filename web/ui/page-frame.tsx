import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import type { ReactNode } from 'react'
import { useTabTitle } from './tab-title.ts'
import { aboveToasts } from './toast-position.ts'
import { useScreenFocus } from './use-screen-focus.ts'

const narrow = '@media (max-width: 767px)'

const useStyles = makeStyles({
  header: {
    position: 'sticky',
    top: 0,
    zIndex: 5,
    height: '72px',
    boxSizing: 'border-box',
    display: 'flex',
    alignItems: 'center',
    columnGap: tokens.spacingHorizontalM,
    padding: '0 24px',
    backgroundColor: tokens.colorNeutralBackground2,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    [narrow]: { height: '60px', padding: '0 12px', columnGap: tokens.spacingHorizontalXS },
    '@media print': {
      position: 'static',
      height: 'auto',
      borderBottomStyle: 'none',
      '> :not([data-titles])': { display: 'none' },
    },
  },
  unprinted: { '@media print': { display: 'none' } },
  titles: { minWidth: 0, flexGrow: 1 },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeBase500,
    lineHeight: tokens.lineHeightBase500,
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.01em',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    [narrow]: { fontSize: tokens.fontSizeBase400, lineHeight: tokens.lineHeightBase400 },
  },
  subtitle: {
    margin: 0,
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    [narrow]: { fontSize: tokens.fontSizeBase200, lineHeight: tokens.lineHeightBase200 },
  },
  main: {
    maxWidth: '1440px',
    padding: '16px 24px 40px',
    boxSizing: 'border-box',
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    rowGap: '16px',
    alignContent: 'start',
    ':focus': { outline: 'none' },
    [narrow]: { padding: '12px 12px 32px', rowGap: '12px' },
    // Firefox leaves the rest of a page empty before an item of a grid that does not fit on it.
    '@media print': { display: 'block', padding: '16px 24px', '> * + *': { marginTop: '16px' } },
  },
})

type PageFrameProps = {
  title: string
  /** Title of the browser tab, when it differs. */
  tabTitle?: string
  subtitle?: string | undefined
  /** The content has a title of its own on paper. */
  hasPrintedTitle?: boolean | undefined
  /** Content before the title. */
  menu?: ReactNode
  /** Content after the title. */
  tools?: ReactNode
  children: ReactNode
}

/** Header and content of a screen, signed in or not. */
export function PageFrame({
  title,
  tabTitle = title,
  subtitle,
  hasPrintedTitle = false,
  menu,
  tools,
  children,
}: PageFrameProps) {
  const styles = useStyles()
  useTabTitle(tabTitle)
  useScreenFocus()
  return (
    <>
      <header className={mergeClasses(styles.header, hasPrintedTitle && styles.unprinted)} {...aboveToasts}>
        {menu}
        <div className={styles.titles} data-titles>
          <h1 className={styles.title}>{title}</h1>
          {subtitle && <p className={styles.subtitle}>{subtitle}</p>}
        </div>
        {tools}
      </header>
      <main id="content" tabIndex={-1} className={styles.main}>
        {children}
      </main>
    </>
  )
}
