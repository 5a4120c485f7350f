import { readFileSync } from 'node:fs'

const packageFile = new URL('../../package.json', import.meta.url)

/** The version of Everchart. */
export const { version: appVersion } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }
