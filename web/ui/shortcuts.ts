import { useEffect, useRef, useSyncExternalStore } from 'react'

/** One key of the keyboard, and what it does in a person's words. */
export type Shortcut = { key: string; label: string }

let activeShortcuts: readonly Shortcut[] = []
const listeners = new Set<() => void>()

function setActiveShortcuts(next: readonly Shortcut[]): void {
  activeShortcuts = next
  for (const listener of listeners) listener()
}

/** The keys that work right now, for the list under `?`. */
export const useActiveShortcuts = (): readonly Shortcut[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => activeShortcuts,
  )

const isTextInput = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName))

/**
 * A key that works while a screen is there; not while somebody types, and not behind an open dialog. `Ctrl+` stands for
 * ⌘ on a Mac as well, and works in fields too.
 */
export function useShortcut(key: string, label: string, handler: () => void): void {
  const latest = useRef(handler)
  useEffect(() => {
    latest.current = handler
  })
  useEffect(() => {
    const shortcut = { key, label }
    const control = key.startsWith('Ctrl+')
    const wanted = control ? key.slice(5).toLowerCase() : key
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key.toLowerCase() !== wanted.toLowerCase() || event.altKey) return
      if (control !== (event.ctrlKey || event.metaKey)) return
      if (
        !control &&
        (isTextInput(event.target) || document.querySelector('[role=dialog], [role=alertdialog], [role=menu]'))
      )
        return
      event.preventDefault()
      // Nothing opens over a form or a question: it would lead away from what is half typed.
      if (!document.querySelector('[role=dialog] form, [role=alertdialog]')) latest.current()
    }
    setActiveShortcuts([...activeShortcuts, shortcut])
    addEventListener('keydown', onKeyDown)
    return () => {
      setActiveShortcuts(activeShortcuts.filter((one) => one !== shortcut))
      removeEventListener('keydown', onKeyDown)
    }
  }, [key, label])
}

/** A key that a part of the screen answers itself, told under `?` while that screen is there. */
export function useShortcutHint(key: string, label: string): void {
  useEffect(() => {
    const shortcut = { key, label }
    setActiveShortcuts([...activeShortcuts, shortcut])
    return () => setActiveShortcuts(activeShortcuts.filter((one) => one !== shortcut))
  }, [key, label])
}
