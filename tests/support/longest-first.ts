import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Starts the slowest test files first, so that no worker runs the last one alone. Durations come from vitest's cache of the
 * previous run. A file without one, like every file in a fresh clone, starts before those with one, ordered by its longest
 * declared time-out, then by its size.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const known = new Set(sorted.filter((file) => this.ctx.cache.getTestSpecificationResult(file)))
    const estimates = new Map(sorted.filter((file) => !known.has(file)).map((file) => [file, estimate(file.moduleId)]))
    const byEstimate = [...estimates.keys()].sort((one, other) => {
      const [a, b] = [estimates.get(one), estimates.get(other)]
      return (b?.timeoutMs ?? 0) - (a?.timeoutMs ?? 0) || (b?.bytes ?? 0) - (a?.bytes ?? 0)
    })
    return [...byEstimate, ...sorted.filter((file) => known.has(file))]
  }
}

type Estimate = { timeoutMs: number; bytes: number }

/** Estimates the duration of a test file from its text and that of the helpers in its folder. */
export function estimate(file: string): Estimate {
  const text = readFileSync(file, 'utf8')
  const timeouts = [...text.matchAll(/(?:^\}, |^ +\}, |timeout: )(\d[\d_]*)/gm)].map(([, number = '']) =>
    Number(number.replaceAll('_', '')),
  )
  const helpers = [...text.matchAll(/from '(\.\/[^']+)'/g)]
    .map(([, name = '']) => path.join(path.dirname(file), name))
    .filter((helper) => existsSync(helper))
  const bytes = [text, ...helpers.map((helper) => readFileSync(helper, 'utf8'))].reduce(
    (sum, one) => sum + one.length,
    0,
  )
  return { timeoutMs: Math.max(0, ...timeouts), bytes }
}
