import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { build, type Rolldown } from 'vite'

const toPath = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** The screens whose first load matters most: visitors see the one, users who sign in the others. */
const authFiles = ['auth-screen.tsx', 'passkey-sign-in.tsx'].map((name) => toPath(`../features/accounts/${name}`))
const frameFile = toPath('../shell/signed-in-layout.tsx')
/** Files that the frame loads by itself after it was painted. */
const laterFiles = ['bell.tsx', 'command-palette.tsx', 'discard-sample-data.ts', 'subscription-banner.tsx'].map(
  (name) => toPath(`../shell/${name}`),
)
const dashboardScreen = toPath('../features/dashboard/dashboard-screen.tsx')
const patientsScreen = toPath('../shell/patients-page.tsx')
const scheduleScreen = toPath('../features/appointments/calendar/appointments-screen.tsx')

/**
 * The code that draws charts, with the packages that only it needs: much for few screens, which load it when they show one. In a group, one of
 * these would load the others, before they could use it.
 */
const charts =
  /node_modules[\\/](@nivo|@react-spring|d3-[a-z-]+|lodash|react-virtualized-auto-sizer|use-debounce|internmap|delaunator)[\\/]|[\\/]ui[\\/]line-chart\.tsx$/

/** Screens and dialogs that use a module before it travels with the code that they share instead of with theirs. */
const minShared = 3
/** Icons are so small that a file for one costs more than those that a screen does not show. */
const icons = /node_modules[\\/]@fluentui[\\/]react-icons/

/** The modules that are needed, after the removal of unused code: the import of a package's index alone says little. */
type Needs = {
  page: ReadonlySet<string>
  auth: ReadonlySet<string>
  frame: ReadonlySet<string>
  dashboard: ReadonlySet<string>
  patients: ReadonlySet<string>
  schedule: ReadonlySet<string>
  later: ReadonlySet<string>
  /** The number of entries that need a module: the page, and everything that is loaded on demand. */
  counts: ReadonlyMap<string, number>
}

/**
 * Plans the groups of modules that become files. A request costs more than a few kilobytes, so that what most screens need is a file,
 * and not one for each component; but a first load should not wait for what only other screens need. The groups are `react`, `data`
 * and `base` (packages) and `first` (our code) for every load, `frame` for the dashboard and the frame of the application, `tables` and `schedule` for what the
 * patients or the appointments share with other screens, `later` for what the frame loads after it was painted, `forms` for what the
 * sign-in and most dialogs need, and `more` for the rest that screens share. Builds the application once to see who needs what.
 */
export async function planChunkGroups(): Promise<Rolldown.CodeSplittingGroup[]> {
  const needs = findNeeds(await buildUngrouped())
  // Each module is in the group of its own name only: others that it imports have one of their own.
  return [{ name: (id) => nameGroup(needs, id), includeDependenciesRecursively: false }]
}

/**
 * Names the file for a package that every load needs. Three of similar size arrive sooner than one: a connection begins slowly, and
 * browsers open six at once.
 */
function nameBase(id: string): string {
  if (/node_modules[\\/](?:react|react-dom|scheduler)[\\/]/.test(id)) return 'react'
  return /node_modules[\\/](?:zod|@tanstack)[\\/]/.test(id) ? 'data' : 'base'
}

/** Returns whether a module is code of a package, which changes seldom, and so stays in the cache. */
const isPackage = (id: string) => id.includes('node_modules') && !id.endsWith('.css')

function nameGroup(needs: Needs, id: string): string | null {
  if (charts.test(id)) return null
  const { page, auth, frame, dashboard, patients, schedule, later, counts } = needs
  const count = counts.get(id) ?? 0
  const isShared = count >= (icons.test(id) ? 2 : minShared)
  const isFirst = [frame, dashboard, patients, schedule].some((screen) => screen.has(id))
  if (page.has(id) || (isShared && isFirst && auth.has(id))) return isPackage(id) ? nameBase(id) : 'first'
  if ((frame.has(id) && count > 1) || (dashboard.has(id) && isShared)) return 'frame'
  if (later.has(id) && count > 1 && !auth.has(id) && !isFirst) return 'later'
  if (patients.has(id) && schedule.has(id)) return 'frame'
  if (!isShared) return null
  if (auth.has(id)) return 'forms'
  if (patients.has(id)) return 'tables'
  return schedule.has(id) ? 'schedule' : 'more'
}

type Chunk = Rolldown.OutputChunk

/** Builds the application with one file for each set of modules that the same entries need. */
async function buildUngrouped(): Promise<Chunk[]> {
  const result = (await build({
    configFile: false,
    root: toPath('..'),
    cacheDir: toPath('../../.cache/vite'),
    plugins: [react()],
    logLevel: 'silent',
    build: {
      write: false,
      minify: false,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: toPath('../index.html') },
    },
  })) as Rolldown.RolldownOutput
  return result.output.filter((file) => file.type === 'chunk')
}

function findNeeds(chunks: readonly Chunk[]): Needs {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const addChunks = (chunk: Chunk, found: Set<Chunk>, isListed: (chunk: Chunk) => boolean): Set<Chunk> => {
    found.add(chunk)
    for (const next of chunk.imports.map((name) => byName.get(name)))
      if (next && !found.has(next) && isListed(next)) addChunks(next, found, isListed)
    return found
  }
  const listChunks = (entries: readonly Chunk[], isListed = (_: Chunk) => true) => {
    const found = new Set<Chunk>()
    for (const chunk of entries) addChunks(chunk, found, isListed)
    return found
  }
  const listModules = (entries: readonly Chunk[]) =>
    new Set([...listChunks(entries)].flatMap(({ moduleIds }) => moduleIds))
  /** Returns what every screen that fetches a chunk has loaded by then. */
  const findLoaded = (chunk: Chunk) => {
    const [first, ...others] = chunks
      .filter(({ dynamicImports }) => dynamicImports.includes(chunk.fileName))
      .map((importer) => listChunks([importer]))
    return new Set([...(first ?? [])].filter((each) => others.every((loaded) => loaded.has(each))))
  }
  const find = (file: string) => {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(file))
    if (!chunk) throw new Error(`${file} is not part of the application anymore`)
    return chunk
  }
  const counts = new Map<string, number>()
  for (const chunk of chunks.filter(({ isEntry, isDynamicEntry }) => isEntry || isDynamicEntry)) {
    // What a screen has loaded when one of its dialogs is fetched is not shared by them, nor what another one contains as a whole.
    const loaded = findLoaded(chunk)
    const needed = listChunks([chunk], (each) => !each.isDynamicEntry && !loaded.has(each))
    for (const id of [...needed].flatMap(({ moduleIds }) => moduleIds)) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return {
    page: listModules(chunks.filter(({ isEntry }) => isEntry)),
    auth: listModules(authFiles.map(find)),
    frame: listModules([find(frameFile)]),
    dashboard: listModules([find(dashboardScreen)]),
    patients: listModules([find(patientsScreen)]),
    schedule: listModules([find(scheduleScreen)]),
    later: listModules(laterFiles.map(find)),
    counts,
  }
}
