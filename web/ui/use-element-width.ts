import { type RefObject, useLayoutEffect, useState } from 'react'

/** Returns the width of an element in pixels, also after it has changed; 0 before it is first laid out. */
export function useElementWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const observed = element.current
    if (!observed) return undefined
    const measure = () => setWidth(observed.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(observed)
    return () => observer.disconnect()
  }, [element])
  return width
}
