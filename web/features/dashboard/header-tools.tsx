import {
  Button,
  CounterBadge,
  Input,
  makeStyles,
  Menu,
  MenuItem,
  MenuItemLink,
  MenuList,
  MenuPopover,
  MenuTrigger,
  mergeClasses,
  Popover,
  PopoverSurface,
  PopoverTrigger,
  Text,
  tokens,
} from '@fluentui/react-components'
import { AddRegular } from '@fluentui/react-icons/svg/add'
import { AlertRegular } from '@fluentui/react-icons/svg/alert'
import { CalendarAddRegular } from '@fluentui/react-icons/svg/calendar-add'
import { PersonAddRegular } from '@fluentui/react-icons/svg/person-add'
import { SearchRegular } from '@fluentui/react-icons/svg/search'
import { ShieldCheckmarkRegular } from '@fluentui/react-icons/svg/shield-checkmark'
import { SparkleRegular } from '@fluentui/react-icons/svg/sparkle'
import { useRouter } from '@tanstack/react-router'
import { type MouseEvent, useState } from 'react'
import { sampleBadges, sampleNotifications } from '#contracts/sample-practice.ts'
import { commandKeyLabel, KeyCap } from '#web/ui/key-cap.tsx'
import { useShell } from '#web/ui/shell-context.ts'
import { SecondaryText, TwoLineCell } from '#web/ui/text.tsx'
import { useAccountNeeded } from './demo/account-needed.tsx'
import { formatTimeAgo } from './format.ts'

const narrow = '@media (max-width: 767px)'
const medium = '@media (max-width: 1023px)'

const useStyles = makeStyles({
  search: { width: '340px', flexShrink: 1, [medium]: { display: 'none' } },
  find: {
    width: '340px',
    flexShrink: 1,
    justifyContent: 'flex-start',
    fontWeight: tokens.fontWeightRegular,
    color: tokens.colorNeutralForeground3,
    columnGap: '8px',
    whiteSpace: 'nowrap',
    [medium]: { width: '32px', minWidth: '32px', padding: 0, justifyContent: 'center', flexShrink: 0 },
  },
  searchText: {
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    flexGrow: 1,
    textAlign: 'left',
    [medium]: { position: 'absolute', width: '1px', height: '1px', clipPath: 'inset(50%)' },
  },
  key: { [medium]: { display: 'none' } },
  bell: { position: 'relative', flexShrink: 0 },
  dot: { position: 'absolute', pointerEvents: 'none', top: '-2px', right: '-2px' },
  surface: {
    width: '380px',
    maxWidth: 'calc(100vw - 24px)',
    boxSizing: 'border-box',
    padding: '12px 16px 16px',
    borderRadius: tokens.borderRadiusXLarge,
  },
  title: {
    margin: '0 0 4px',
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
    fontWeight: tokens.fontWeightSemibold,
  },
  list: { listStyleType: 'none', margin: 0, padding: 0 },
  item: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) auto',
    columnGap: '12px',
    padding: '8px 0',
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
  },
  add: { flexShrink: 0, whiteSpace: 'nowrap', [narrow]: { minWidth: '32px', width: '32px', padding: 0 } },
  addText: {
    [narrow]: { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' },
  },
  addIcon: { [narrow]: { '> .fui-Button__icon': { marginRight: 0 } } },
})

const searchPlaceholder = 'Search patients, appointments...'

/** Global search. In the demo a field without function (spec), otherwise a button that opens the command palette. */
export function GlobalSearch({ isDemo }: { isDemo: boolean }) {
  const styles = useStyles()
  const { openPalette } = useShell()
  const [text, setText] = useState('')
  if (isDemo)
    return (
      <form role="search" className={styles.search} onSubmit={(event) => event.preventDefault()}>
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

/** Notifications: three fixed ones in the demo, none yet for a practice. */
export function NotificationsMenu({ isDemo, now }: { isDemo: boolean; now: Date }) {
  const styles = useStyles()
  const count = isDemo ? sampleBadges.notifications : 0
  return (
    <span className={styles.bell}>
      <Popover positioning={{ position: 'below', align: 'end' }} trapFocus>
        <PopoverTrigger disableButtonEnhancement>
          <Button
            appearance="subtle"
            icon={<AlertRegular />}
            aria-label={count > 0 ? `Notifications, ${count} new` : 'Notifications'}
          />
        </PopoverTrigger>
        <PopoverSurface className={styles.surface} aria-label="Notifications">
          <h2 className={styles.title}>Notifications</h2>
          {isDemo ? (
            <ul className={styles.list}>
              {sampleNotifications.map(({ title, detail, minutesAgo }) => (
                <li key={title} className={styles.item}>
                  <TwoLineCell top={title} bottom={detail} strong wrap />
                  <SecondaryText>
                    {formatTimeAgo(new Date(now.getTime() - minutesAgo * 60_000).toISOString(), now)}
                  </SecondaryText>
                </li>
              ))}
            </ul>
          ) : (
            <Text>No notifications. Anything that needs your attention will appear here.</Text>
          )}
        </PopoverSurface>
      </Popover>
      {count > 0 && <CounterBadge className={styles.dot} count={count} size="small" color="danger" aria-hidden />}
    </span>
  )
}

const quickAddItems = [
  { label: 'Add Patient', icon: PersonAddRegular, to: '/patients?new=true', demoTo: '/patients?new=true' },
  {
    label: 'Schedule Appointment',
    icon: CalendarAddRegular,
    to: '/appointments?new=true',
    demoTo: '/appointments?new=true',
  },
  { label: 'AI Analysis', icon: SparkleRegular, to: '/ai-insights', demoTo: '/under-development' },
  { label: 'Verify Insurance', icon: ShieldCheckmarkRegular, to: '/insurance', demoTo: '/under-development' },
] as const

/** Main button of the dashboard, with a menu of things to add. */
export function QuickAddMenu({ isDemo }: { isDemo: boolean }) {
  const styles = useStyles()
  const { history } = useRouter()
  const explainAccount = useAccountNeeded()
  const go = (event: MouseEvent, to: string) => {
    // Leaves opening in a new tab or window to the browser.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    history.push(to)
  }
  return (
    <Menu positioning="below-end">
      <MenuTrigger disableButtonEnhancement>
        <Button
          appearance="primary"
          icon={<AddRegular />}
          className={mergeClasses(styles.add, styles.addIcon)}
          data-testid="demo-quick-add"
        >
          <span className={styles.addText}>Quick Add</span>
        </Button>
      </MenuTrigger>
      <MenuPopover>
        <MenuList>
          {quickAddItems.map(({ label, icon: Icon, to, demoTo }) => {
            const target = isDemo ? demoTo : to
            if (explainAccount)
              return (
                <MenuItem key={label} icon={<Icon />} onClick={() => explainAccount(label)}>
                  {label}
                </MenuItem>
              )
            return (
              <MenuItemLink key={label} icon={<Icon />} href={target} onClick={(event) => go(event, target)}>
                {label}
              </MenuItemLink>
            )
          })}
        </MenuList>
      </MenuPopover>
    </Menu>
  )
}
