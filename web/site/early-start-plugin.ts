import { fileURLToPath } from 'node:url'
import { build, type Plugin, type Rolldown } from 'vite'
import { addCompileHint } from './compile-hints-plugin.ts'

const toPath = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const earlyFile = toPath('../early/early-start.ts')
const earlyName = 'early.js'
const frameFile = toPath('../shell/signed-in-layout.tsx')

/** The screen of visitors, which has no frame, and what it waits for. */
const authPath = '/auth'
const authFiles = ['auth-screen.tsx', 'passkey-sign-in.tsx'].map((name) => toPath(`../features/accounts/${name}`))

/** The screens that people open first, by the paths of the router; `*` are all others with the frame of the application. */
const screenFiles: Record<string, string> = {
  '/': toPath('../shell/home-screen.tsx'),
  '/dashboard': toPath('../features/dashboard/dashboard-screen.tsx'),
  '/patients': toPath('../shell/patients-page.tsx'),
  '/appointments': toPath('../features/appointments/calendar/appointments-screen.tsx'),
  '*': frameFile,
}

type Bundle = Rolldown.OutputBundle

const isChunk = (file: Bundle[string] | undefined): file is Rolldown.OutputChunk => file?.type === 'chunk'

function findChunk(bundle: Bundle, facade: string): Rolldown.OutputChunk {
  const chunk = Object.values(bundle).find((file) => isChunk(file) && file.facadeModuleId === facade)
  if (!isChunk(chunk)) throw new Error(`${facade} is not a file of its own anymore`)
  return chunk
}

function findEarlyScript(bundle: Bundle): string {
  const asset = Object.values(bundle).find((file) => file.type === 'asset' && file.names.includes(earlyName))
  if (!asset) throw new Error('The early script was not built')
  return asset.fileName
}

/** Adds a chunk and what it imports. */
function addWithImports(bundle: Bundle, fileName: string, found: Set<string>): Set<string> {
  const chunk = bundle[fileName]
  if (found.has(fileName) || !isChunk(chunk)) return found
  found.add(fileName)
  for (const next of chunk.imports) addWithImports(bundle, next, found)
  return found
}

/** Lists the scripts of each screen without those that the page itself loads. */
function listScreenScripts(bundle: Bundle, page: Rolldown.OutputChunk): Record<string, string[]> {
  const own = addWithImports(bundle, page.fileName, new Set())
  const toScripts = (...files: readonly string[]) => {
    const scripts = new Set(own)
    for (const file of files) addWithImports(bundle, findChunk(bundle, file).fileName, scripts)
    return [...scripts].filter((name) => !own.has(name)).map((name) => `/${name}`)
  }
  const framed = Object.entries(screenFiles).map(([path, file]) => [path, toScripts(frameFile, file)] as const)
  return Object.fromEntries([...framed, [authPath, toScripts(...authFiles)]])
}

/** Builds the early script with all that it imports: in one build with the application, the two would share files. */
async function buildEarlyScript(): Promise<string> {
  const result = (await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, modulePreload: { polyfill: false }, rolldownOptions: { input: earlyFile } },
  })) as Rolldown.RolldownOutput
  return addCompileHint(result.output[0].code)
}

/** Adds the script that asks for the data of the first screen before the application has arrived, and what it needs to know. */
export function startEarly(): Plugin {
  let isBuild = false
  return {
    name: 'start-early',
    configResolved({ command }) {
      isBuild = command === 'build'
    },
    async buildStart() {
      if (isBuild) this.emitFile({ type: 'asset', name: earlyName, source: await buildEarlyScript() })
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { path, bundle, chunk }) {
        if (path !== '/index.html') return html
        if (!bundle || !chunk)
          return [{ tag: 'script', attrs: { type: 'module', src: '/early/early-start.ts' }, injectTo: 'head' }]
        const content = JSON.stringify(listScreenScripts(bundle, chunk))
        // Before the application, which would otherwise send the first requests itself when both are in the cache.
        const early = `<script type="module" src="/${findEarlyScript(bundle)}"></script>\n    `
        const placed = html.replace('<script type="module"', `${early}<script type="module"`)
        if (placed === html) throw new Error('The page has no script before which the early one could run')
        return { html: placed, tags: [{ tag: 'meta', attrs: { name: 'screen-scripts', content }, injectTo: 'head' }] }
      },
    },
  }
}
