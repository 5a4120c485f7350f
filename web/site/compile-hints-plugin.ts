import type { Plugin } from 'vite'

/** Comment that has Chromium compile all functions of a file at once. It must be the first line. */
const hint = '//# allFunctionsCalledOnLoad\n'

export const addCompileHint = (code: string): string => hint + code

/**
 * Has Chromium compile the functions of the scripts while these arrive, beside the main thread. Without it, each function is parsed
 * and compiled when it is first called, which was a quarter of the time until a phone painted a screen.
 */
export function hintCompiler(): Plugin {
  return {
    name: 'hint-compiler',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = addCompileHint(file.code)
      },
    },
  }
}
