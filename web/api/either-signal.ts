/** Returns a signal that aborts with the first of two. Browsers of before 2024 have no `AbortSignal.any`. */
export function eitherSignal(first: AbortSignal, second: AbortSignal): AbortSignal {
  if ('any' in AbortSignal) return AbortSignal.any([first, second])
  const controller = new AbortController()
  for (const signal of [first, second]) {
    const follow = () => controller.abort(signal.reason)
    if (signal.aborted) follow()
    else signal.addEventListener('abort', follow, { once: true })
  }
  return controller.signal
}
