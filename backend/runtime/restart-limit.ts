/**
 * Creates a function that counts a restart and returns whether it is allowed: at most `maxRestarts` within any window of
 * `windowMs` milliseconds. Occasional restarts continue for years; a crash loop does not.
 */
export function createRestartLimiter(
  maxRestarts: number,
  windowMs: number,
  now = () => performance.now(),
): () => boolean {
  let recent: number[] = []
  return () => {
    const time = now()
    recent = recent.filter((earlier) => time - earlier < windowMs)
    if (recent.length >= maxRestarts) return false
    recent.push(time)
    return true
  }
}
