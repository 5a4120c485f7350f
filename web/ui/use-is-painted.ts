import { startTransition, useEffect, useState } from 'react'

/** True once a screen of this window was painted: from then on, everything else is loaded, and screens are shown whole. */
let wasPainted = false

/**
 * Returns false until the first screen of a window is painted, and true from then on. What follows is rendered in small steps, between
 * which a tap is answered: for what is below the part that a phone shows.
 */
export function useIsPainted(): boolean {
  const [isPainted, setPainted] = useState(wasPainted)
  useEffect(() => {
    wasPainted = true
    startTransition(() => setPainted(true))
  }, [])
  return isPainted
}
