import { slot } from '@fluentui/react-components'
import {
  renderTab_unstable as renderTab,
  renderTabList_unstable as renderTabList,
  type TabListProps,
  type TabProps,
  type TabState,
  useTabBase_unstable as useTabBase,
  useTabListBase_unstable as useTabListBase,
  useTabListContext_unstable as useTabListContext,
  useTabListContextValues_unstable as useTabListContextValues,
  useTabListStyles_unstable as useTabListStyles,
  useTabStyles_unstable as useTabStyles,
} from '@fluentui/react-tabs'
import { type FocusEvent, type KeyboardEvent, useRef } from 'react'

const nextIndexByKey: Record<string, (index: number, count: number) => number> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

const findTabs = ({ currentTarget }: { currentTarget: HTMLElement }) => [
  ...currentTarget.querySelectorAll<HTMLElement>('[role=tab]:not(:disabled)'),
]

function moveBetweenTabs(event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const tabs = findTabs(event)
  const next = nextIndexByKey[event.key]?.(tabs.indexOf(event.target as HTMLElement), tabs.length)
  if (next === undefined) return
  event.preventDefault()
  tabs[next]?.focus()
}

/** Leaves one tab in the tab order: the one that has the focus, otherwise the one that is selected. */
function keepOneTabStop(event: FocusEvent<HTMLElement>): void {
  const focused = event.type === 'focus' ? event.target : null
  for (const tab of findTabs(event)) {
    const isStop = focused ? tab === focused : tab.ariaSelected === 'true'
    tab.tabIndex = isStop ? 0 : -1
  }
}

/**
 * Row of tabs, of which one is selected. It is one tab stop; arrow keys, Home and End move inside, Enter and Space select. Fluent's own
 * list does that with a focus manager, whose hidden elements before and after the list take the focus, which audits of accessibility refuse.
 */
export function TabList({ size = 'medium', ...props }: TabListProps) {
  const root = useRef<HTMLDivElement>(null)
  const base = useTabListBase(
    { ...props, onKeyDown: moveBetweenTabs, onFocus: keepOneTabStop, onBlur: keepOneTabStop },
    root,
  )
  const state = { ...base, appearance: 'transparent' as const, reserveSelectedTabSpace: true, size }
  useTabListStyles(state)
  return renderTabList(state, useTabListContextValues(state))
}

/** One of the tabs in a `TabList`. */
export function Tab(props: TabProps) {
  const isSelected = useTabListContext(({ selectedValue }) => selectedValue === props.value)
  const size = useTabListContext((list) => list.size)
  const root = useRef<HTMLButtonElement>(null)
  const base = useTabBase({ tabIndex: isSelected ? 0 : -1, ...props }, root)
  // As wide when it is not selected as it is with the bold text of one that is.
  const contentReservedSpace = slot.optional<NonNullable<TabState['contentReservedSpace']>>(undefined, {
    renderByDefault: !isSelected,
    defaultProps: { children: props.children },
    elementType: 'span',
  })
  const state = {
    ...base,
    contentReservedSpace,
    appearance: 'transparent' as const,
    size: size ?? 'medium',
  }
  useTabStyles(state)
  return renderTab(state)
}
