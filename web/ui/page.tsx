import { Button, makeStyles, tokens } from '@fluentui/react-components'
import { NavigationRegular } from '@fluentui/react-icons/svg/navigation'
import { SearchRegular } from '@fluentui/react-icons/svg/search'
import type { ReactNode } from 'react'
import { commandKeyLabel, KeyCap } from './key-cap.tsx'
import { PageFrame } from './page-frame.tsx'
import { useShell } from './shell-context.ts'

const narrow = '@media (max-width: 767px)'
const medium = '@media (max-width: 943px)'

const useStyles = makeStyles({
  menu: { display: 'none', [narrow]: { display: 'inline-flex' } },
  search: {
    columnGap: '8px',
    flexShrink: 0,
    fontWeight: tokens.fontWeightRegular,
    [medium]: { minWidth: '32px', width: '32px', height: '32px', padding: 0 },
  },
  // Visually hidden where there is little room: it still names the button.
  text: {
    [medium]: { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' },
  },
  key: { [medium]: { display: 'none' } },
})

type PageProps = {
  title: string
  subtitle?: string | undefined
  /** The content has a title of its own on paper. */
  hasPrintedTitle?: boolean
  /** Replaces the button that opens the command palette. */
  search?: ReactNode
  action?: ReactNode
  children: ReactNode
}

/** Screen inside the application frame: title, search, notifications, main action, content. */
export function Page({ title, subtitle, hasPrintedTitle, search, action, children }: PageProps) {
  const styles = useStyles()
  const { bell, openMenu } = useShell()
  const menu = (
    <Button
      className={styles.menu}
      appearance="subtle"
      icon={<NavigationRegular />}
      aria-label="Menu"
      onClick={openMenu}
    />
  )
  const tools = (
    <>
      {search ?? <SearchButton />}
      {bell}
      {action}
    </>
  )
  return (
    <PageFrame title={title} subtitle={subtitle} hasPrintedTitle={hasPrintedTitle} menu={menu} tools={tools}>
      {children}
    </PageFrame>
  )
}

/** Opens the command palette, as its shortcut does. */
function SearchButton() {
  const styles = useStyles()
  const { openPalette } = useShell()
  return (
    <Button className={styles.search} icon={<SearchRegular />} onClick={openPalette}>
      <span className={styles.text}>Search</span>
      <span className={styles.key} aria-hidden="true">
        <KeyCap>{`${commandKeyLabel} K`}</KeyCap>
      </span>
    </Button>
  )
}
