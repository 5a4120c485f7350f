import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { z } from 'zod'
import type { Endpoint } from '#contracts/endpoint.ts'
import { resolveFromRoot } from '#runtime/root.ts'

/** An export of a contract file with the docstring above it, which describes it in the documentation of the API. */
type Documented<Value> = { name: string; description: string | undefined; value: Value }

export type Contracts = {
  /** `group` is the name of the file: `patients`. */
  endpoints: readonly (Documented<Endpoint> & { group: string })[]
  schemas: readonly Documented<z.ZodType>[]
}

/**
 * Loads every endpoint and every named schema of `contracts/`. Names and docstrings are read from the source, which is
 * always there: the installation has them beside the backend's bundle.
 */
export async function loadContracts(folder = resolveFromRoot('contracts')): Promise<Contracts> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts')).toSorted()
  const loaded = await Promise.all(files.map((file) => loadExports(path.join(folder, file))))
  const exported = loaded.flat()
  return {
    endpoints: exported.flatMap(({ value, ...rest }) => (isEndpoint(value) ? [{ ...rest, value }] : [])),
    schemas: exported.flatMap(({ value, ...rest }) => (isSchema(value) ? [{ ...rest, value }] : [])),
  }
}

async function loadExports(file: string) {
  const exports = (await import(pathToFileURL(file).href)) as Record<string, unknown>
  const docstrings = readDocstrings(await readFile(file, 'utf8'))
  const group = path.basename(file, '.ts')
  return Object.entries(exports).map(([name, value]) => ({ name, group, description: docstrings.get(name), value }))
}

/** Returns the docstrings of exported constants by their name, each on one line. */
export function readDocstrings(source: string): Map<string, string> {
  const found = source.matchAll(/^\/\*\*((?:(?!\*\/).)*)\*\/\nexport const (\w+)/gms)
  return new Map(
    [...found].map(([, text = '', name = '']) => [
      name,
      text
        .replaceAll(/^\s*\* ?/gm, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    ]),
  )
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const isSchema = (value: unknown): value is z.ZodType => isObject(value) && '_zod' in value
const isEndpoint = (value: unknown): value is Endpoint => isObject(value) && 'access' in value && 'reply' in value
