import { useShortcut, useShortcutHint } from '#web/ui/shortcuts.ts'
import type { ScheduleSearch } from './use-schedule-search.ts'

type ScheduleShortcuts = Pick<ScheduleSearch, 'view' | 'change' | 'goToDate' | 'step'> & {
  today: string
  onBook: () => void
}

/** Registers the keyboard shortcuts of the schedule. */
export function useScheduleShortcuts({ view, change, goToDate, step, today, onBook }: ScheduleShortcuts): void {
  useShortcut('n', 'Schedule an appointment', onBook)
  useShortcut('t', 'Today', () => goToDate(today))
  useShortcut('ArrowLeft', view === 'week' ? 'Previous week' : 'Previous day', () => step(-1))
  useShortcut('ArrowRight', view === 'week' ? 'Next week' : 'Next day', () => step(1))
  useShortcut('d', 'Show the day', () => change({ view: 'day' }))
  useShortcut('l', 'Show the day as a list', () => change({ view: 'list' }))
  useShortcut('w', 'Show the week', () => change({ view: 'week' }))
  useShortcutHint('ArrowUp ArrowDown', 'On an appointment: move it by a slot')
  useShortcutHint('Shift ArrowUp ArrowDown', 'On an appointment: make it shorter or longer')
  useShortcutHint('Alt ArrowLeft ArrowRight', 'On an appointment: move it to the next provider')
  useShortcutHint('Enter', 'On an appointment: edit it')
}
