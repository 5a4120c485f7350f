import { useEffect, useState } from 'react'

/** Dialogs in front of the page; the page beside one that is not modal stays usable. */
export const dialogs = '[role=dialog]:not([aria-modal=false]), [role=alertdialog]'

/**
 * An element to return the focus to, and those around it in its part of the screen, innermost first. `focusKey` is the
 * attribute `data-focus-key` of the record around it, which may be shown elsewhere later.
 */
type ReturnTarget = { element: HTMLElement; ancestors: readonly Element[]; focusKey: string | undefined }

/** The targets of the dialogs and drawers that are open, or just closed; the one opened last is last. */
const openTargets: (readonly ReturnTarget[])[] = []

function toReturnTarget(element: Element | null): ReturnTarget[] {
  if (!(element instanceof HTMLElement) || element === document.body) return []
  const part = element.closest(`main, header, aside, ${dialogs}`)
  const ancestors: Element[] = []
  for (let at = element.parentElement; at && part?.contains(at); at = at.parentElement) ancestors.push(at)
  const record = element.closest<HTMLElement>('[data-focus-key]')
  return [{ element, ancestors, focusKey: record?.dataset['focusKey'] }]
}

/** Returns the focused element; for a menu item, which is about to disappear, the button that opened the menu. */
function findOrigin(): Element | null {
  const menu = document.activeElement?.closest('[role=menu]')
  const opener = menu?.getAttribute('aria-labelledby')
  return opener ? document.getElementById(opener) : document.activeElement
}

/** Returns the focused element, then what the open dialog returns to, which this one may replace. */
const findTargets = () => [...toReturnTarget(findOrigin()), ...(openTargets.at(-1) ?? [])]

const isInDialog = (element: Element | null) => Boolean(element?.closest(dialogs))

const focusable = ':is(a[href], button, input, select, textarea, [tabindex="0"]):not(:disabled, [data-tabster-dummy])'

/** Browsers of before 2024 have no `checkVisibility`. */
const isVisible = (control: HTMLElement): boolean =>
  'checkVisibility' in control ? control.checkVisibility() : (control as HTMLElement).getClientRects().length > 0

/** Returns the control of the same record elsewhere, else the nearest one that remains around an element that was removed. */
function findBeside({ ancestors, focusKey }: ReturnTarget): HTMLElement[] {
  const record = focusKey && document.querySelector(`[data-focus-key="${focusKey}"]`)
  const remaining = ancestors.filter(({ isConnected }) => isConnected)
  const controls = [...(record ? [record] : []), ...remaining].flatMap((ancestor) => [
    ...ancestor.querySelectorAll<HTMLElement>(focusable),
  ])
  return controls.filter(isVisible).slice(0, 1)
}

/**
 * Returns the first target that is still on the page and not behind a dialog, else what is beside a target that is gone;
 * without both, the first button of the dialog or drawer that is still open, or the content of the screen.
 */
function chooseTarget(targets: readonly ReturnTarget[]): HTMLElement | null | undefined {
  const dialog = [...document.querySelectorAll(dialogs)].at(-1)
  const elements = targets.map(({ element }) => element).filter(({ isConnected }) => isConnected)
  const isReachable = (element: Element) => !dialog || dialog.contains(element)
  return (
    [...elements, ...targets.flatMap(findBeside)].find(isReachable) ??
    (dialog ? dialog.querySelector('button') : document.getElementById('content'))
  )
}

/** Moves the focus to what is beside an element when that is removed while it has the focus, such as the row of a deleted patient. */
export function keepFocusBeside(element: HTMLElement): void {
  const targets = toReturnTarget(element)
  const moved = new AbortController()
  const observer = new MutationObserver(() => {
    if (document.activeElement === element) return
    moved.abort()
    if (!element.isConnected && document.activeElement === document.body)
      chooseTarget(targets)?.focus({ preventScroll: true })
  })
  moved.signal.addEventListener('abort', () => observer.disconnect())
  // Once the user has gone on to another control, the removal of the element takes the focus from nothing.
  const stopWhenMoved = ({ target }: FocusEvent) => void (target !== element && moved.abort())
  document.addEventListener('focusin', stopWhenMoved, { signal: moved.signal })
  observer.observe(document.body, { childList: true, subtree: true })
}

/**
 * Returns whether Fluent has restored the focus, to the last menu button or table row that had it, which is rarely the right
 * element. Such a control in a dialog that none of the targets is from has the focus because that dialog has just opened.
 */
function isRestoredByFluent(active: Element | null, targets: readonly ReturnTarget[]): boolean {
  if (active === targets[0]?.element || !active?.getAttribute('data-tabster')?.includes('"restorer"')) return false
  const dialog = active.closest(dialogs)
  return !dialog || targets.some(({ ancestors }) => ancestors.some((ancestor) => dialog.contains(ancestor)))
}

function restoreFocus(targets: readonly ReturnTarget[]): void {
  const active = document.activeElement
  // Another dialog may still be open below this one; the focus must not move behind it.
  const isBehindDialog =
    !isInDialog(active) && targets.some(({ element }) => element.isConnected && isInDialog(element))
  if (!isBehindDialog && !isRestoredByFluent(active, targets) && active && active !== document.body) return
  const target = chooseTarget(targets)
  if (!target) return
  target.focus({ preventScroll: true })
  keepFocusBeside(target)
}

/**
 * Restores the focus when a component that is mounted while open unmounts: to the element that had it before or, if that
 * element is gone, to where the dialog that had it came from, or near it. Does nothing if something else has taken the
 * focus. `useModalFocus` calls it.
 */
export function useFocusReturn(): void {
  const [targets] = useState(findTargets)
  useEffect(() => {
    openTargets.push(targets)
    return () => {
      setTimeout(() => {
        openTargets.splice(openTargets.indexOf(targets), 1)
        restoreFocus(targets)
      })
    }
  }, [targets])
}
