import { Button, Input, makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import { AddRegular } from '@fluentui/react-icons/svg/add'
import { CalendarAddRegular } from '@fluentui/react-icons/svg/calendar-add'
import { ClipboardTextLtrRegular } from '@fluentui/react-icons/svg/clipboard-text-ltr'
import { PersonAddRegular } from '@fluentui/react-icons/svg/person-add'
import { SearchRegular } from '@fluentui/react-icons/svg/search'
import { ShieldCheckmarkRegular } from '@fluentui/react-icons/svg/shield-checkmark'
import { SparkleRegular } from '@fluentui/react-icons/svg/sparkle'
import { useState } from 'react'
import { ActionMenuButton } from '#web/ui/action-menu.tsx'
import type { MenuAction } from '#web/ui/menu-action.ts'
import { commandKeyLabel, KeyCap } from '#web/ui/key-cap.tsx'
import { useShell } from '#web/ui/shell-context.ts'
import { useFollowLink } from '#web/ui/use-follow-link.ts'
import { useAccountNeeded } from './demo/account-needed-context.ts'

const narrow = '@media (max-width: 767px)'
const medium = '@media (max-width: 1023px)'

const useStyles = makeStyles({
  search: { width: '340px', flexShrink: 1, [medium]: { display: 'none' } },
  small: { display: 'none', flexShrink: 0, [medium]: { display: 'inline-flex' } },
  find: {
    width: '340px',
    flexShrink: 1,
    justifyContent: 'flex-start',
    fontWeight: tokens.fontWeightRegular,
    color: tokens.colorNeutralForeground3,
    columnGap: '8px',
    whiteSpace: 'nowrap',
    [medium]: {
      width: '32px',
      minWidth: '32px',
      height: '32px',
      padding: 0,
      justifyContent: 'center',
      flexShrink: 0,
    },
  },
  searchText: {
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    flexGrow: 1,
    textAlign: 'left',
    [medium]: { position: 'absolute', width: '1px', height: '1px', clipPath: 'inset(50%)' },
  },
  key: { [medium]: { display: 'none' } },
  add: {
    flexShrink: 0,
    whiteSpace: 'nowrap',
    [narrow]: { minWidth: '32px', width: '32px', height: '32px', padding: 0 },
  },
  addText: {
    [narrow]: { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' },
  },
  addIcon: { [narrow]: { '> .fui-Button__icon': { marginRight: 0 } } },
})

const searchPlaceholder = 'Search patients, appointments...'

/**
 * Global search. In the demo a field without function (spec), or a button where there is no room for a field; otherwise a button
 * that opens the command palette.
 */
export function GlobalSearch({ isDemo }: { isDemo: boolean }) {
  const styles = useStyles()
  const { openPalette } = useShell()
  const explainAccount = useAccountNeeded()
  const [text, setText] = useState('')
  const search = () => {
    if (explainAccount) explainAccount('Search')
    else openPalette()
  }
  if (isDemo)
    return (
      <>
        <form
          role="search"
          className={styles.search}
          onSubmit={(event) => {
            event.preventDefault()
            search()
          }}
        >
          <Input
            style={{ width: '100%' }}
            type="search"
            placeholder={searchPlaceholder}
            aria-label={searchPlaceholder}
            contentBefore={<SearchRegular />}
            value={text}
            onChange={(_, { value }) => setText(value)}
          />
        </form>
        <Button className={styles.small} icon={<SearchRegular />} aria-label="Search" onClick={search} />
      </>
    )
  return (
    <Button className={styles.find} icon={<SearchRegular />} onClick={openPalette}>
      <span className={styles.searchText}>{searchPlaceholder}</span>
      <span className={styles.key} aria-hidden="true">
        <KeyCap>{`${commandKeyLabel} K`}</KeyCap>
      </span>
    </Button>
  )
}

/** Items of the menu; the demo has the four of the specification. */
const quickAddItems = [
  { label: 'Add Patient', icon: PersonAddRegular, to: '/patients?new=true', demoTo: '/patients?new=true' },
  {
    label: 'Schedule Appointment',
    icon: CalendarAddRegular,
    to: '/appointments?new=true',
    demoTo: '/appointments?new=true',
  },
  { label: 'Create Form', icon: ClipboardTextLtrRegular, to: '/forms?new=true', demoTo: null },
  { label: 'AI Analysis', icon: SparkleRegular, to: '/ai-insights', demoTo: '/under-development' },
  { label: 'Verify Insurance', icon: ShieldCheckmarkRegular, to: '/insurance', demoTo: '/under-development' },
] as const

/** Main button of the dashboard, with a menu of things to add. */
export function QuickAddMenu({ isDemo }: { isDemo: boolean }) {
  const styles = useStyles()
  const explainAccount = useAccountNeeded()
  const go = useFollowLink()
  const actions = quickAddItems.flatMap(({ label, icon, to, demoTo }): MenuAction[] => {
    const target = isDemo ? demoTo : to
    if (target === null) return []
    return explainAccount
      ? [{ label, icon, onClick: () => explainAccount(label) }]
      : [{ label, icon, href: target, onClick: (event) => go(event, target) }]
  })
  return (
    <ActionMenuButton
      appearance="primary"
      icon={<AddRegular />}
      className={mergeClasses(styles.add, styles.addIcon)}
      data-testid="demo-quick-add"
      actions={actions}
    >
      <span className={styles.addText}>Quick Add</span>
    </ActionMenuButton>
  )
}
