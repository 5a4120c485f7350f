import { type ComponentType, useEffect, useState } from 'react'

let kept: ComponentType | null = null
let show: (() => void) | undefined

/** Renders a component for as long as the window is open, though what needed it first is gone. Its code may come later than the page. */
export function keepMounted(component: ComponentType): void {
  kept = component
  show?.()
}

/** The place of the component that `keepMounted` was called with. */
export function Kept() {
  const [Component, setComponent] = useState(() => kept)
  useEffect(() => {
    show = () => setComponent(() => kept)
    show()
    return () => (show = undefined)
  }, [])
  return Component && <Component />
}
