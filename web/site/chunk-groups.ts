import type { Rolldown } from 'vite'

type Graph = Parameters<Rolldown.CodeSplittingNameFunction>[1]

/** Packages of the sign-in screen, which every other screen uses too. They change seldom, and so stay in the cache. */
const basePackages = new RegExp(
  `node_modules[\\\\/](${[
    'react|react-dom|scheduler|zod|react-hook-form|@hookform|@griffel',
    '@fluentui[\\\\/](tokens|react-(utilities|shared-contexts|theme|jsx-runtime|label|text|button|field|input|checkbox|tabs|provider|toast))',
    '@tanstack[\\\\/](react-router|router-core|history|store|react-store|query-core|react-query)',
  ].join('|')})[\\\\/]`,
)

/** The modules that the first load of a person who signs in runs. */
const firstModules = ['/web/main.tsx', '/web/features/accounts/auth-screen.tsx']

/** Packages that draw charts: much code for few screens, which load it when they show one. */
const charts = /node_modules[\\/](@nivo|@react-spring|d3-[a-z]+)[\\/]/

/** Screens that use a module before it travels with the code of the application instead of with theirs. */
const minScreens = 3

/**
 * The groups of modules that become files. A request costs more than a few kilobytes, so that what most screens need is one file, and not
 * one for each component: `base` (packages) and `first` (our code) for the sign-in screen, `app` for all others.
 */
export const chunkGroups: Rolldown.CodeSplittingGroup[] = [
  { name: 'base', test: basePackages, priority: 3 },
  { name: (id, graph) => (findFirst(graph).has(id) ? 'first' : null), priority: 2 },
  { name: 'app', test: (id) => !charts.test(id), minShareCount: minScreens, priority: 1 },
]

const found = new WeakMap<Graph, ReadonlySet<string>>()

/** Returns our modules that the first load runs: what its modules import, and what these import. */
function findFirst(graph: Graph): ReadonlySet<string> {
  const known = found.get(graph)
  if (known) return known
  const first = new Set<string>()
  const waiting = firstModules.map((file) => `${process.cwd()}${file}`)
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (first.has(id) || id.includes('node_modules')) continue
    first.add(id)
    waiting.push(...(graph.getModuleInfo(id)?.importedIds ?? []))
  }
  found.set(graph, first)
  return first
}
