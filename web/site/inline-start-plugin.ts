import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const themeFile = fileURLToPath(new URL('../public/theme-start.js', import.meta.url))
const themeTag = '<script src="/theme-start.js"></script>'
const stylesTag = /<link rel="stylesheet"[^>]* href="\/([^"]+\.css)">/

/**
 * Puts into the page what a browser waits for before it paints anything: the theme that was chosen, and the style sheet. A phone paints
 * a round trip earlier. The server allows the script by its hash.
 */
export function inlineStart(): Plugin {
  return {
    name: 'inline-start',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { path, bundle }) {
        if (path !== '/index.html' || !bundle) return html
        const [link = '', fileName = ''] = stylesTag.exec(html) ?? []
        const styles = bundle[fileName]
        if (styles?.type !== 'asset' || !html.includes(themeTag))
          throw new Error('The page has no style sheet or no theme script')
        delete bundle[fileName]
        // Scripts that are loaded later would fetch it, and wait for it.
        for (const file of Object.values(bundle))
          if (file.type === 'chunk') file.viteMetadata?.importedCss.delete(fileName)
        const script = `<script>${readFileSync(themeFile, 'utf8').trim()}</script>`
        const style = `<style>${String(styles.source).trim()}</style>`
        // As functions: a text would have its dollar signs replaced.
        return html.replace(themeTag, () => script).replace(link, () => style)
      },
    },
  }
}
