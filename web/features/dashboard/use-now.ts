import { useEffect, useState } from 'react'

/** The present, renewed every half minute and when the window comes back into sight. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const look = () => setNow(new Date())
    const timer = setInterval(look, 30_000)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  return now
}
