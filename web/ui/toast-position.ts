/** Subtracted, as every toast has a margin of 16 px above it. */
const overlapPx = 8

/** Props of a bar whose controls are needed at any time: toasts appear below it. */
export const aboveToasts = { 'data-above-toasts': '' }

/** Returns the top of a toast in pixels: below the bars of the page or, while a dialog or drawer is open, below its bars. */
function findToastTop(): number {
  const modal = [...document.querySelectorAll('[aria-modal=true]')].at(-1)
  const bars = (modal ?? document).querySelectorAll('[data-above-toasts]')
  return Math.max(0, ...[...bars].map((bar) => bar.getBoundingClientRect().bottom - overlapPx))
}

/** Keeps a toast below the bars while the page scrolls and changes, in the CSS variable `--toast-top`. Returns the function that stops it. */
export function keepBelowBars(toaster: HTMLElement): () => void {
  const place = () => toaster.style.setProperty('--toast-top', `${findToastTop()}px`)
  place()
  const observer = new MutationObserver(place)
  observer.observe(document.body, { childList: true, subtree: true })
  addEventListener('scroll', place, { passive: true, capture: true })
  addEventListener('resize', place)
  return () => {
    observer.disconnect()
    removeEventListener('scroll', place, { capture: true })
    removeEventListener('resize', place)
  }
}
