import { readFileSync } from 'node:fs'
import { resolveFromRoot } from '#runtime/root.ts'

/** The version of Everchart. */
export const { version: appVersion } = JSON.parse(readFileSync(resolveFromRoot('package.json'), 'utf8')) as {
  version: string
}
