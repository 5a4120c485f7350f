import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: 'web',
  plugins: [react()],
  cacheDir: '../.cache/vite',
  // Nothing is inlined: the content security policy takes fonts from files of our own only.
  build: { outDir: '../dist', emptyOutDir: true, sourcemap: false, chunkSizeWarningLimit: 900, assetsInlineLimit: 0 },
})
