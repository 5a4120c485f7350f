import './api/without-eval.ts'
import '@fontsource-variable/hanken-grotesk/index.css'
import '@fontsource-variable/atkinson-hyperlegible-mono/index.css'
import './base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { startTransition, StrictMode, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { ThemedApp } from './shell/themed-app.tsx'
import { queryClient, router } from './router.tsx'

/** Milliseconds that the first screen may take to load before the application shows its own placeholder. */
const maxWaitMs = 1_000

/** Calls a function once what is rendered before it is on the page. */
function Rendered({ onRendered }: { onRendered: () => void }): null {
  useLayoutEffect(onRendered, [onRendered])
  return null
}

/** Renders in small steps, between which a tap is answered: that is what React does in a transition only. */
function render(container: HTMLElement, onRendered: () => void): void {
  const root = createRoot(container)
  startTransition(() =>
    root.render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <ThemedApp>
            <RouterProvider router={router} />
            <Rendered onRendered={onRendered} />
          </ThemedApp>
        </QueryClientProvider>
      </StrictMode>,
    ),
  )
}

const container = document.getElementById('root')
if (container) {
  // Before it is rendered: the router would show what it has loaded in one step, which took 400 ms of a phone. From then on, it follows
  // the address itself.
  const stopFollowing = router.history.subscribe((change) => void router.load(change))
  const loaded = router.load().catch(() => undefined)
  const waited = new Promise((resolve) => setTimeout(resolve, maxWaitMs))
  void Promise.race([loaded, waited]).then(() => render(container, stopFollowing))
}
