import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { planChunkGroups } from './web/site/chunk-groups.ts'
import { hintCompiler } from './web/site/compile-hints-plugin.ts'
import { inlineStart } from './web/site/inline-start-plugin.ts'
import { insertStylesInRender } from './web/site/insert-styles-plugin.ts'
import { packAssets } from './web/site/pack-assets-plugin.ts'
import { startEarly } from './web/site/early-start-plugin.ts'
import { prerenderSite } from './web/site/prerender-plugin.ts'

export default defineConfig(async ({ command }) => ({
  root: 'web',
  plugins: [
    react(),
    insertStylesInRender(),
    prerenderSite(),
    startEarly(),
    inlineStart(),
    hintCompiler(),
    packAssets(),
  ],
  cacheDir: '../.cache/vite',
  // Nothing is inlined: the content security policy takes fonts from files of our own only.
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    sourcemap: false,
    chunkSizeWarningLimit: 900,
    assetsInlineLimit: 0,
    // The browsers without preloading of modules load the same modules a little later.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: 'web/index.html' },
      output: command === 'build' ? { codeSplitting: { groups: await planChunkGroups() } } : {},
    },
  },
}))
