import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Plugin, runnerImport } from 'vite'
import type { SiteAssets, SiteRenderer } from './site-assets.ts'

const toPath = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const clientFile = toPath('./client.ts')
const renderFile = toPath('./render.tsx')

const pictureFolder = toPath('./pictures')
const pictureFiles = () => readdirSync(pictureFolder).filter((name) => /\.(avif|webp)$/.test(name))

const fontName = /hanken-grotesk-latin-wght-normal.*\.woff2$/

/** The sources, as Vite serves them. */
const developmentAssets = (): SiteAssets => ({
  script: '/site/client.ts',
  css: '',
  font: undefined,
  pictures: Object.fromEntries(pictureFiles().map((name) => [name, `/site/pictures/${name}`])),
})

/**
 * Renders the public pages to HTML when the web app is built, with the style sheet in each page: the browser paints after one
 * response. While developing, a page is rendered whenever it is requested.
 */
export function prerenderSite(): Plugin {
  return {
    name: 'prerender-site',
    config: () => ({ build: { rolldownOptions: { input: { site: clientFile } } } }),
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const { pathname } = new URL(request.url ?? '/', 'http://localhost')
        // The application has this address for signed-in users.
        if (pathname === '/' && request.headers.cookie?.includes('everchart.sid=')) return next()
        if (!request.headers.accept?.includes('text/html')) return next()
        const render = async () => {
          const { renderPage } = (await server.ssrLoadModule(renderFile)) as SiteRenderer
          const html = renderPage(pathname, developmentAssets())
          if (html === undefined) return next()
          response.setHeader('Content-Type', 'text/html')
          response.end(await server.transformIndexHtml(pathname, html))
        }
        render().catch(next)
      })
    },
    async generateBundle(_options, bundle) {
      const files = Object.values(bundle)
      const script = files.find((file) => file.type === 'chunk' && file.facadeModuleId === clientFile)
      const font = files.find(({ fileName }) => fontName.test(fileName))
      if (script?.type !== 'chunk' || !font) throw new Error('The script or the font of the public pages was not built')
      const [cssFile = ''] = script.viteMetadata?.importedCss ?? []
      const css = bundle[cssFile]
      if (css?.type !== 'asset') throw new Error('The style sheet of the public pages was not built')
      // It is in every page.
      delete bundle[cssFile]
      const emit = (name: string) => {
        const source = readFileSync(path.join(pictureFolder, name))
        return `/${this.getFileName(this.emitFile({ type: 'asset', name, source }))}`
      }
      const assets: SiteAssets = {
        script: `/${script.fileName}`,
        css: String(css.source).trim(),
        font: `/${font.fileName}`,
        pictures: Object.fromEntries(pictureFiles().map((name) => [name, emit(name)])),
      }
      const { module } = await runnerImport<SiteRenderer>(renderFile)
      for (const [fileName, source] of Object.entries(module.renderFiles(assets)))
        this.emitFile({ type: 'asset', fileName, source })
    },
  }
}
