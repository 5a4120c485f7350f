import { useEffect, useState } from 'react'

/**
 * Defers what a key asks for until the results on screen are current, so that a key pressed while a search is running never
 * acts on the results of an earlier text. `run` is called with the last deferred action, after the current results are
 * rendered.
 */
export function useDeferredAction<Action extends string>(isCurrent: boolean, run: (action: Action) => void) {
  const [deferred, setDeferred] = useState<Action | null>(null)
  useEffect(() => {
    if (!deferred || !isCurrent) return
    setDeferred(null)
    run(deferred)
    // Only when the results become current: the callback is new at every render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [deferred, isCurrent])
  return { defer: setDeferred, cancel: () => setDeferred(null) }
}
