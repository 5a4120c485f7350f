import { type ComponentType, type ReactNode, startTransition, useEffect, useState } from 'react'
import { onceIdle } from './use-is-painted.ts'

/**
 * Returns a component that the first load does not wait for, such as the dialogs of a screen. Its code is fetched when the first screen
 * was painted and there is nothing else to do, or when it is rendered before that. Until it has come, `placeholder` is shown. Unlike with
 * `lazy`, a component that was fetched is shown at once: Suspense would delay it by 300 ms.
 */
export function createLate<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  placeholder: ReactNode = null,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null
  let loading: Promise<void> | null = null

  const fetch = () => {
    loading ??= load().then(
      (component) => {
        loaded = component
      },
      (error: unknown) => {
        // Offline, perhaps: the next one to be shown tries again.
        loading = null
        throw error
      },
    )
    return loading
  }
  onceIdle(() => void fetch().catch(() => undefined))

  return function Late(props: Props) {
    const [Component, setComponent] = useState(() => loaded)
    const [failure, setFailure] = useState<{ error: unknown } | null>(null)
    useEffect(() => {
      // In small steps, and not as an external store: when that changes, React renders all that is being rendered again, in one step.
      const show = () => startTransition(() => setComponent(() => loaded))
      fetch().then(show, (error: unknown) => setFailure({ error }))
    }, [])
    if (failure) throw failure.error
    return Component ? <Component {...props} /> : placeholder
  }
}
