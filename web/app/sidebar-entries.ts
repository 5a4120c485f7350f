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
export type Entry = {
  label: string
  to: string
  icon: FluentIcon
  soon?: boolean
  /** Carries a count: the fixed one of the demo, or today's visits of the practice. */
  badge?: 'todaysAppointments'
}

export const entries: readonly Entry[] = [
  { label: 'Dashboard', to: '/', icon: bundleIcon(GridFilled, GridRegular) },
  { label: 'Patients', to: '/patients', icon: bundleIcon(PeopleFilled, PeopleRegular) },
  {
    label: 'Appointments',
    to: '/appointments',
    icon: bundleIcon(CalendarLtrFilled, CalendarLtrRegular),
    badge: 'todaysAppointments',
  },
  { label: 'AI Insights', to: '/ai-insights', icon: bundleIcon(LightbulbFilled, LightbulbRegular), soon: true },
  { label: 'Forms & Intake', to: '/forms', icon: bundleIcon(ClipboardTextLtrFilled, ClipboardTextLtrRegular) },
  { label: 'Insurance', to: '/insurance', icon: bundleIcon(ShieldCheckmarkFilled, ShieldCheckmarkRegular), soon: true },
  { label: 'Automation', to: '/automation', icon: bundleIcon(FlowFilled, FlowRegular), soon: true },
  { label: 'Analytics', to: '/analytics', icon: bundleIcon(ChartMultipleFilled, ChartMultipleRegular), soon: true },
]

export const settings: readonly Entry[] = [
  { label: 'Practice Settings', to: '/practice', icon: bundleIcon(BuildingMultipleFilled, BuildingMultipleRegular) },
  { label: 'Subscription', to: '/manage-subscription', icon: bundleIcon(CardUiFilled, CardUiRegular) },
]

/** Where an entry leads somebody. */
export const targetOf = ({ to, soon }: Entry, demo: boolean): string => (soon && demo ? '/under-development' : to)
