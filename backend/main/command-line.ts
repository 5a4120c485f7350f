import { parseArgs } from 'node:util'
import { StartError } from '#runtime/start-error.ts'

/** The arguments of `npm start`. */
export type StartArguments = { showsHelp: boolean; isDemo: boolean }

/** The flags of `npm start` and their purpose, as `--help` lists them. */
export const startFlags = [
  ['--demo', 'shows visitors of the first page the sample practice instead of the landing page'],
  ['--help', 'prints this list and starts nothing'],
] as const

/** Parses the arguments of `npm start`. Throws StartError that names an unknown one. */
export function parseStartArguments(words: readonly string[]): StartArguments {
  const { tokens, values } = parseArgs({
    args: [...words],
    options: { demo: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  for (const token of tokens) {
    const isKnown =
      token.kind === 'option' && (token.name === 'demo' || token.name === 'help') && token.value === undefined
    if (isKnown) continue
    const word = words[token.index]
    throw new StartError(`Unknown argument "${word}": see npm start -- --help.`)
  }
  return { showsHelp: values['help'] === true, isDemo: values['demo'] === true }
}
