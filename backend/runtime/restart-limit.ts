/**
 * Counts restarts and answers whether one more is allowed: so many within any stretch of that many milliseconds. One that
 * ends now and then is started again for years; one that keeps ending is not.
 */
export function createRestartLimiter(most: number, milliseconds: number, now = () => performance.now()): () => boolean {
  let lately: number[] = []
  return () => {
    const moment = now()
    lately = lately.filter((earlier) => moment - earlier < milliseconds)
    if (lately.length >= most) return false
    lately.push(moment)
    return true
  }
}
