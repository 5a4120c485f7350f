import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { packAssets } from './web/site/pack-assets-plugin.ts'
import { prerenderSite } from './web/site/prerender-plugin.ts'

/** Packages of the sign-in screen, which every other screen uses too. */
const base = new RegExp(
  `node_modules[\\\\/](${[
    'react|react-dom|scheduler|zod|react-hook-form|@hookform|@griffel',
    '@fluentui[\\\\/](tokens|react-(utilities|shared-contexts|theme|jsx-runtime|label|text|button|field|input|checkbox|tabs|provider|toast))',
    '@tanstack[\\\\/](react-router|router-core|history|store|react-store|query-core|react-query)',
  ].join('|')})[\\\\/]`,
)

export default defineConfig({
  root: 'web',
  plugins: [react(), prerenderSite(), packAssets()],
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
    // What every screen needs travels as one file, which packs better than thirty and stays in the cache.
    rolldownOptions: {
      input: { index: 'web/index.html' },
      output: { codeSplitting: { groups: [{ name: 'base', test: base }] } },
    },
  },
})
