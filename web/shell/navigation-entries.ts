import {
  BuildingMultipleFilled,
  BuildingMultipleRegular,
  bundleIcon,
  CalendarLtrFilled,
  CalendarLtrRegular,
  CardUiFilled,
  CardUiRegular,
  ChartMultipleFilled,
  ChartMultipleRegular,
  ClipboardTextLtrFilled,
  ClipboardTextLtrRegular,
  FlowFilled,
  FlowRegular,
  type FluentIcon,
  GridFilled,
  GridRegular,
  LightbulbFilled,
  LightbulbRegular,
  PeopleFilled,
  PeopleRegular,
  ShieldCheckmarkFilled,
  ShieldCheckmarkRegular,
} from '@fluentui/react-icons'

/** One line of the sidebar. `soon` leads a demo user to the roadmap; a subscriber reaches the screen (product.md 1). */
export type NavigationEntry = {
  label: string
  to: string
  icon: FluentIcon
  isComingSoon?: boolean
  /** Carries a count: the fixed one of the demo, or today's appointments of the practice. */
  badge?: 'todaysAppointments'
}

export const mainEntries: readonly NavigationEntry[] = [
  { label: 'Dashboard', to: '/', icon: bundleIcon(GridFilled, GridRegular) },
  { label: 'Patients', to: '/patients', icon: bundleIcon(PeopleFilled, PeopleRegular) },
  {
    label: 'Appointments',
    to: '/appointments',
    icon: bundleIcon(CalendarLtrFilled, CalendarLtrRegular),
    badge: 'todaysAppointments',
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
  { label: 'Subscription', to: '/manage-subscription', icon: bundleIcon(CardUiFilled, CardUiRegular) },
]

/** Where an entry leads somebody. */
export const resolveTarget = ({ to, isComingSoon: soon }: NavigationEntry, demo: boolean): string =>
  soon && demo ? '/under-development' : to
