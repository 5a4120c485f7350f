import { Button, makeStyles, tokens } from '@fluentui/react-components'
import { NavigationRegular, SearchRegular } from '@fluentui/react-icons'
import { type ReactNode, useEffect } from 'react'
import { commandKey, KeyCap } from './key-cap.tsx'
import { useShell } from './shell-context.ts'

const narrow = '@media (max-width: 767px)'
const medium = '@media (max-width: 1023px)'

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
    '@media print': { display: 'none' },
  },
  menu: { display: 'none', [narrow]: { display: 'inline-flex' } },
  search: {
    columnGap: '8px',
    flexShrink: 0,
    fontWeight: tokens.fontWeightRegular,
    [narrow]: { minWidth: '32px', width: '32px', height: '32px', padding: 0 },
  },
  // Out of sight on a phone, and still the button's name.
  words: {
    [narrow]: { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' },
  },
  key: { [medium]: { display: 'none' } },
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
  },
})

type PageProps = {
  title: string
  subtitle?: string | undefined
  /** In the place of the button that opens the search. */
  search?: ReactNode
  action?: ReactNode
  children: ReactNode
}

/** One screen: where am I, what can I find, the one thing to do, and below it the content. */
export function Page({ title, subtitle, search, action, children }: PageProps) {
  const styles = useStyles()
  const { openMenu } = useShell()
  useEffect(() => {
    document.title = `${title}, Everchart`
  }, [title])
  return (
    <>
      <header className={styles.header}>
        <Button
          className={styles.menu}
          appearance="subtle"
          icon={<NavigationRegular />}
          aria-label="Menu"
          onClick={openMenu}
        />
        <div className={styles.titles}>
          <h1 className={styles.title}>{title}</h1>
          {subtitle && <p className={styles.subtitle}>{subtitle}</p>}
        </div>
        {search ?? <SearchButton />}
        {action}
      </header>
      <main id="content" tabIndex={-1} className={styles.main}>
        {children}
      </main>
    </>
  )
}

/** Opens the search over the screen; its key does the same. */
function SearchButton() {
  const styles = useStyles()
  const { openPalette } = useShell()
  return (
    <Button className={styles.search} icon={<SearchRegular />} onClick={openPalette}>
      <span className={styles.words}>Search</span>
      <span className={styles.key} aria-hidden="true">
        <KeyCap>{`${commandKey} K`}</KeyCap>
      </span>
    </Button>
  )
}
