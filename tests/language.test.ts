import { globSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** A place that breaks a rule, as `path:line  what`. */
type Offence = string

/** Phrases of no standard technical English, with what to write instead. Every file is searched: code, comments, screens, documents. */
const phrases: readonly [pattern: RegExp, instead: string][] = [
  [/\b(whoever|somebody|anybody|nobody|everybody)/i, 'the user, the caller, the instance, no one'],
  // `changed-meanwhile` is an error code of the API.
  [/whoever|[sS]omebody|[nN]obody|(?<!changed-)[mM]eanwhile|[a-z]Anew\b/, 'a standard term in the name'],
  [/\banew\b/i, 'again, rebuild'],
  [/(?<!changed-)\bmeanwhile\b/i, 'in the meantime, concurrently, or leave it out'],
  [/\bof theirs\b/i, 'their'],
  [/\bthose who\b/i, 'users who, callers that'],
  [/\bwho waits?\b/i, 'a waiting caller'],
  [/\b(goes|going|went) by\b/i, 'follows, uses, depends on'],
  [/\b(lends|lent)\b/i, 'acquires, provides'],
  [/\b(is|are|was|be) told\b/i, 'is notified, receives'],
  [/\banyhow\b/i, 'anyway'],
  [/\bthe (house|houses)\b|\bhouse\b(?= (together|is put))/i, 'the application'],
  // PHQ-9 asks for "Feeling down, depressed, or hopeless".
  [/(?<!depressed, or )\bhopeless\b/i, 'not retryable'],
  [/\b(stands?|standing|stood) still\b/i, 'is stopped'],
  [/\bfold(s|ed|ing)? (anew|beside)\b/i, 'rebuild, build a shadow table'],
  [/\b(another|a second|several|two) cop(y|ies) of (the app|Everchart)\b/i, 'another instance'],
  [/\bcopies of the app\b/i, 'instances'],
  [/\b(a|an|another|newer|older|two|several) (newer |older )?Everchart\b/, 'an instance of Everchart'],
  [/\bvisit(?!or)(?<!last ?visit)|Visit(?!or)(?<!(?:last|Last) ?Visit)/, 'appointment'],
  [/\breactors?\b/i, 'process manager'],
  [
    /\b(app|application|browser|client|database|form|function|instance|job|policy|process|provider|request|screen|server|service|store|system|vendor|window)s? (tell|want)s?\b/i,
    'reports, shows, requires',
  ],
  [/\bpatience\b/i, '…TimeoutMs'],
]

/** How a docstring must not begin: clauses and persons instead of a third-person verb or a noun phrase. */
const clauseFirst =
  /^(answers|what|whether|who|whoever|whose|those|how|where|when|while|why|which|so that|somebody|nobody|everybody|everything|nothing|something|tells|lends|lets|let|as|also|only|of|in|for|from|by|without|after|before|until|under|up|if|once|it|such|there)\b/i

/** Bare imperatives at the beginning of a docstring ("Return …" for "Returns …"). */
const imperative =
  /^(return|get|make|create|find|read|write|run|check|add|remove|append|retry|parse|build|open|close|start|stop|wait|send|set|load|save|delete|update|compute|convert)\s/i

/** Names that language.md replaces: limits are `max…`, durations end in their unit. */
const names = /\b(?:const|let|function|type)\s+((?:most|longest|shortest)[A-Z]\w*|\w*(?:[pP]atience|Of[A-Z]\w*Of))\b/

const sources = globSync(['{backend,contracts,web,tests,scripts}/**/*.{ts,tsx,mjs}', '*.config.ts'])
  .filter((file) => file !== 'tests/language.test.ts' && !file.includes('node_modules'))
  .toSorted()
const documents = ['README.md', ...globSync('docs/**/*.md').toSorted()]

const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n')

function findPhrases(file: string, lines: readonly string[]): Offence[] {
  return lines.flatMap((line, index) =>
    phrases
      .filter(([pattern]) => pattern.test(line))
      .map(([pattern, instead]) => `${file}:${index + 1}  ${pattern.exec(line)?.[0]} → ${instead}`),
  )
}

function findDocstrings(file: string, lines: readonly string[]): Offence[] {
  return lines.flatMap((line, index) => {
    const opening = /^\s*\/\*\*\s*(.*)$/.exec(line)
    if (!opening) return []
    const text = opening[1] || (lines[index + 1] ?? '').replace(/^\s*\*\s?/, '')
    const start = text.replace(/^[`"(…]+/, '')
    if (clauseFirst.test(start) || imperative.test(start)) return [`${file}:${index + 1}  ${text.slice(0, 60)}`]
    return []
  })
}

function findNames(file: string, lines: readonly string[]): Offence[] {
  return lines.flatMap((line, index) => {
    const match = names.exec(line)
    return match ? [`${file}:${index + 1}  ${match[1]}`] : []
  })
}

const inFiles = (files: readonly string[], find: (file: string, lines: readonly string[]) => Offence[]) =>
  files.flatMap((file) => find(file, linesOf(file)))

describe('plain language', () => {
  it('uses no phrase of a private dialect', () => {
    expect(inFiles([...sources, ...documents], findPhrases)).toEqual([])
  })

  it('begins a docstring with a third-person verb or a noun phrase', () => {
    expect(inFiles(sources, findDocstrings)).toEqual([])
  })

  it('names limits and durations by the standard terms', () => {
    expect(inFiles(sources, findNames)).toEqual([])
  })

  it('keeps the README below 8 kB', () => {
    expect(statSync('README.md').size).toBeLessThanOrEqual(8_192)
  })

  it('notices planted offenders', () => {
    expect(findPhrases('a.ts', ['// Whoever waits is told'])).toHaveLength(2)
    expect(findPhrases('a.ts', ['// The server tells what the store wants'])).toHaveLength(1)
    expect(findPhrases('a.ts', ['// Names tell patients apart, who want a slot'])).toEqual([])
    expect(findPhrases('a.ts', ['const visits = 1', 'const lastVisit = visitor'])).toHaveLength(1)
    expect(
      findDocstrings('a.ts', ['/** Answers the count. */', '/** Returns the count. */', '/**', ' * Whether it is']),
    ).toHaveLength(2)
    expect(findDocstrings('a.ts', ['/** Return the count. */'])).toHaveLength(1)
    expect(findNames('a.ts', ['const mostAtOnce = 1', 'const maxConcurrent = 1', 'const patience = 2'])).toHaveLength(2)
  })
})
