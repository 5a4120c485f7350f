import { useEffect, useRef, useSyncExternalStore } from 'react'
import { dialogs } from './use-focus-return.ts'

/** Keyboard shortcut, with a description for the help dialog. */
export type Shortcut = { key: string; label: string }

let activeShortcuts: readonly Shortcut[] = []
const listeners = new Set<() => void>()

function setActiveShortcuts(next: readonly Shortcut[]): void {
  activeShortcuts = next
  for (const listener of listeners) listener()
}

/** Returns the shortcuts that are currently active, for the help dialog. */
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
 * Registers a shortcut while the component is mounted. It is ignored in text fields and behind an open modal dialog or menu; with
 * `Ctrl+` (also ⌘ on a Mac) it works in text fields.
 */
export function useShortcut(key: string, label: string, handler: () => void): void {
  const latest = useRef(handler)
  useEffect(() => {
    latest.current = handler
  })
  useEffect(() => {
    const shortcut = { key, label }
    const needsControl = key.startsWith('Ctrl+')
    const expectedKey = (needsControl ? key.slice(5) : key).toLowerCase()
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key.toLowerCase() !== expectedKey || event.altKey) return
      if (needsControl !== (event.ctrlKey || event.metaKey)) return
      if (!needsControl && (isTextInput(event.target) || document.querySelector(`${dialogs}, [role=menu]`))) return
      event.preventDefault()
      // Nothing opens over a form or a confirmation: unsaved input would be lost.
      if (!document.querySelector(`:is(${dialogs}) form, [role=alertdialog]`)) latest.current()
    }
    setActiveShortcuts([...activeShortcuts, shortcut])
    addEventListener('keydown', onKeyDown)
    return () => {
      setActiveShortcuts(activeShortcuts.filter((other) => other !== shortcut))
      removeEventListener('keydown', onKeyDown)
    }
  }, [key, label])
}

/** Lists a shortcut in the help dialog that a part of the screen handles itself. */
export function useShortcutHint(key: string, label: string): void {
  useEffect(() => {
    const shortcut = { key, label }
    setActiveShortcuts([...activeShortcuts, shortcut])
    return () => setActiveShortcuts(activeShortcuts.filter((other) => other !== shortcut))
  }, [key, label])
}
