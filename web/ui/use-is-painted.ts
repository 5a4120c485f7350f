import { startTransition, useEffect, useState } from 'react'

/** True once a screen of this window was painted: from then on, everything else is loaded, and screens are shown whole. */
let wasPainted = false
const waiting = new Set<() => void>()

const runWhenIdle = (run: () => void) => {
  // Safari does not tell when it is idle.
  if ('requestIdleCallback' in window) requestIdleCallback(run)
  else setTimeout(run, 1_000)
}

/** Runs a function once the first screen of the window was painted and the browser has nothing else to do. */
export function onceIdle(run: () => void): void {
  if (wasPainted) runWhenIdle(run)
  else waiting.add(run)
}

function setPainted(): void {
  wasPainted = true
  for (const run of waiting) runWhenIdle(run)
  waiting.clear()
}

/** Milliseconds until a phone shows a frame that the page has finished. */
const presentationMs = 150

/** Runs a function once what was rendered is on the screen; after a second in a window that is not shown, which paints nothing. */
function afterPaint(run: () => void): void {
  let wasRun = false
  const runOnce = () => {
    if (!wasRun) run()
    wasRun = true
  }
  requestAnimationFrame(() => setTimeout(runOnce, presentationMs))
  setTimeout(runOnce, 1_000)
}

/**
 * Returns false until the first screen of a window is painted, and true from then on. What follows is rendered in small steps, between
 * which a tap is answered: for what is below the part that a phone shows.
 */
export function useIsPainted(): boolean {
  const [isPainted, setIsPainted] = useState(wasPainted)
  useEffect(() => {
    if (wasPainted) startTransition(() => setIsPainted(true))
    else
      afterPaint(() => {
        setPainted()
        startTransition(() => setIsPainted(true))
      })
  }, [])
  return isPainted
}
