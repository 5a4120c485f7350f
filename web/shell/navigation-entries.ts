import { BuildingMultipleFilled, BuildingMultipleRegular } from '@fluentui/react-icons/svg/building-multiple'
import { bundleIcon } from '@fluentui/react-icons/utils'
import { CalendarLtrFilled, CalendarLtrRegular } from '@fluentui/react-icons/svg/calendar-ltr'
import { CardUiFilled, CardUiRegular } from '@fluentui/react-icons/svg/card-ui'
import { ChartMultipleFilled, ChartMultipleRegular } from '@fluentui/react-icons/svg/chart-multiple'
import { ClipboardTextLtrFilled, ClipboardTextLtrRegular } from '@fluentui/react-icons/svg/clipboard-text-ltr'
import { FlowFilled, FlowRegular } from '@fluentui/react-icons/svg/flow'
import type { FluentIcon } from '@fluentui/react-icons'
import { GridFilled, GridRegular } from '@fluentui/react-icons/svg/grid'
import { LightbulbFilled, LightbulbRegular } from '@fluentui/react-icons/svg/lightbulb'
import { PeopleTeamFilled, PeopleTeamRegular } from '@fluentui/react-icons/svg/people-team'
import { PeopleFilled, PeopleRegular } from '@fluentui/react-icons/svg/people'
import { ShieldCheckmarkFilled, ShieldCheckmarkRegular } from '@fluentui/react-icons/svg/shield-checkmark'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { Permission } from '#contracts/values/roles.ts'

/** Entry of the sidebar. With `isComingSoon`, demo users get to the roadmap and subscribers to the screen (product.md 1). */
export type NavigationEntry = {
  label: string
  to: string
  /** Other screens that belong to the entry. */
  alsoAt?: readonly string[]
  icon: FluentIcon
  isComingSoon?: boolean
  /** Count beside the entry: today's appointments, a fixed number in the demo. */
  badge?: 'todaysAppointments'
  /** The permission without which the entry is hidden. Users without a practice see all entries. */
  permission?: Permission
}

export const mainEntries: readonly NavigationEntry[] = [
  { label: 'Dashboard', to: '/', alsoAt: ['/dashboard'], icon: bundleIcon(GridFilled, GridRegular) },
  { label: 'Patients', to: '/patients', icon: bundleIcon(PeopleFilled, PeopleRegular) },
  {
    label: 'Appointments',
    to: '/appointments',
    icon: bundleIcon(CalendarLtrFilled, CalendarLtrRegular),
    badge: 'todaysAppointments',
    permission: 'scheduling',
  },
  { label: 'AI Insights', to: '/ai-insights', icon: bundleIcon(LightbulbFilled, LightbulbRegular), isComingSoon: true },
  { label: 'Forms & Intake', to: '/forms', icon: bundleIcon(ClipboardTextLtrFilled, ClipboardTextLtrRegular) },
  {
    label: 'Insurance',
    to: '/insurance',
    icon: bundleIcon(ShieldCheckmarkFilled, ShieldCheckmarkRegular),
    isComingSoon: true,
  },
  { label: 'Automation', to: '/automation', icon: bundleIcon(FlowFilled, FlowRegular), isComingSoon: true },
  {
    label: 'Analytics',
    to: '/analytics',
    icon: bundleIcon(ChartMultipleFilled, ChartMultipleRegular),
    isComingSoon: true,
  },
]

export const settingsEntries: readonly NavigationEntry[] = [
  { label: 'Practice Settings', to: '/practice', icon: bundleIcon(BuildingMultipleFilled, BuildingMultipleRegular) },
  { label: 'Team', to: '/team', icon: bundleIcon(PeopleTeamFilled, PeopleTeamRegular), permission: 'users' },
  {
    label: 'Subscription',
    to: '/manage-subscription',
    alsoAt: ['/subscription'],
    icon: bundleIcon(CardUiFilled, CardUiRegular),
  },
]

/** Returns whether a user sees an entry. */
export const isVisibleTo =
  (user: Pick<CurrentUser, 'practiceId' | 'permissions'> | null) =>
  ({ permission }: NavigationEntry): boolean =>
    permission === undefined || !user || user.practiceId === null || user.permissions.includes(permission)

/** Returns the path that an entry leads to. */
export const resolveTarget = ({ to, isComingSoon }: NavigationEntry, isDemo: boolean): string =>
  isComingSoon && isDemo ? '/under-development' : to

/** Returns whether a path belongs to an entry. */
export const isCurrentEntry = ({ to, alsoAt = [] }: NavigationEntry, path: string): boolean =>
  [to, ...alsoAt].some((at) => path === at || (at !== '/' && path.startsWith(`${at}/`)))
