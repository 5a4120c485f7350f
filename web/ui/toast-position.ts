/** Subtracted, as every toast has a margin of 16 px above it. */
const overlapPx = 8

/** Props of a bar whose controls are needed at any time: toasts appear below it. */
export const aboveToasts = { 'data-above-toasts': '' }

/** Distance of a toast from the edges of the window and of a drawer. */
export const toastMarginPx = 16

const findModal = () => [...document.querySelectorAll<HTMLElement>('[aria-modal=true]')].at(-1)

/** Returns the top of a toast in pixels: below the bars of the page or, while a dialog or drawer is open, below its bars. */
function findToastTop(): number {
  const modal = findModal()
  const bars = (modal ?? document).querySelectorAll('[data-above-toasts]')
  return Math.max(0, ...[...bars].map((bar) => bar.getBoundingClientRect().bottom - overlapPx))
}

/** Returns the distance of a toast from the right of the window in pixels: beside a drawer at the right, if it fits there. */
function findToastRight(toastWidthPx: number): number {
  const modal = findModal()
  if (!modal) return toastMarginPx
  // Unlike the bounding box, these do not change while the drawer slides in.
  const { offsetLeft, offsetWidth } = modal
  const isAtRight = offsetLeft + offsetWidth >= document.documentElement.clientWidth
  return isAtRight && offsetLeft >= toastWidthPx + 2 * toastMarginPx ? offsetWidth + toastMarginPx : toastMarginPx
}

/**
 * Keeps a toast below the bars and beside the drawer while the page scrolls and changes, in the CSS variables `--toast-top`
 * and `--toast-right`. Never moves it while a button of the pointer is pressed: the control below it would not be clicked.
 * Returns the function that stops it.
 */
export function keepOffControls(toaster: HTMLElement): () => void {
  let isPressed = false
  const setDistance = (name: string, px: number) => {
    // A value that is set again would have the styles of the toasts computed again.
    if (toaster.style.getPropertyValue(name) !== `${px}px`) toaster.style.setProperty(name, `${px}px`)
  }
  const place = () => {
    if (isPressed) return
    const [top, right] = [findToastTop(), findToastRight(toaster.offsetWidth)]
    setDistance('--toast-top', top)
    setDistance('--toast-right', right)
  }
  let frame = 0
  // Once before a frame is painted: after each change of the page, the browser would have to lay it out at once.
  const placeBeforePaint = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0
      place()
    })
  }
  const press = () => {
    isPressed = true
  }
  // The click follows the release.
  const release = () =>
    setTimeout(() => {
      isPressed = false
      place()
    })
  place()
  const controller = new AbortController()
  const options = { capture: true, passive: true, signal: controller.signal }
  addEventListener('pointerdown', press, options)
  for (const type of ['pointerup', 'pointercancel']) addEventListener(type, release, options)
  for (const type of ['scroll', 'resize']) addEventListener(type, placeBeforePaint, options)
  const observer = new MutationObserver(placeBeforePaint)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    observer.disconnect()
    controller.abort()
    cancelAnimationFrame(frame)
  }
}
