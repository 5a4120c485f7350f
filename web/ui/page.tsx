import { Button, makeStyles, tokens } from '@fluentui/react-components'
import { NavigationRegular } from '@fluentui/react-icons/svg/navigation'
import { SearchRegular } from '@fluentui/react-icons/svg/search'
import type { ReactNode } from 'react'
import { commandKeyLabel, KeyCap } from './key-cap.tsx'
import { PageFrame } from './page-frame.tsx'
import { useShell } from './shell-context.ts'

const narrow = '@media (max-width: 767px)'
const medium = '@media (max-width: 1023px)'

const useStyles = makeStyles({
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
      {action}
    </>
  )
  return (
    <PageFrame title={title} subtitle={subtitle} menu={menu} tools={tools}>
      {children}
    </PageFrame>
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
        <KeyCap>{`${commandKeyLabel} K`}</KeyCap>
      </span>
    </Button>
  )
}
