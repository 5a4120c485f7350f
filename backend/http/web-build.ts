import { statSync } from 'node:fs'
import path from 'node:path'

const checkIntervalMs = 1_000

/** Paths whose time of change differs after every build: files are added to these folders. */
const watched = ['index.html', 'assets', 'site', 'site/features']

/**
 * Returns a function for what is derived from the folder of the built web app, which derives it again when another build has
 * replaced the files, checked at most once a second. Until the new `index.html` is there, it returns the former value.
 */
export function perBuild<Value>(folder: string, derive: () => Value): () => Value {
  let build = identifyBuild(folder)
  let value = derive()
  let checkedAt = performance.now()
  return () => {
    if (performance.now() - checkedAt < checkIntervalMs) return value
    checkedAt = performance.now()
    const current = identifyBuild(folder)
    if (current === undefined || current === build) return value
    build = current
    value = derive()
    return value
  }
}

/** Returns undefined for a folder without a complete build. */
function identifyBuild(folder: string): string | undefined {
  const changedAt = watched.map((name) => statSync(path.join(folder, name), { throwIfNoEntry: false })?.mtimeMs)
  return changedAt[0] === undefined ? undefined : changedAt.join()
}
