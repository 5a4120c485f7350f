import { fileURLToPath } from 'node:url'

/** Returns the path of a file or folder of the installation. The bundle of the backend lies as deep in it as this file. */
export const resolveFromRoot = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url))
