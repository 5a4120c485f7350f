import type { Plugin } from 'vite'

/** The module in which Griffel finds React's effect for the insertion of styles. Without one, it inserts them while components render. */
const effectFile = /@griffel[\\/]react[\\/]src[\\/]useInsertionEffect\.js$/

/**
 * Has styles inserted while a screen is rendered, in steps between which a tap is answered, and once for each set of them. With the
 * effect, a phone inserted all of them in one step of 150 ms, and went through those of a button again for each button.
 */
export function insertStylesInRender(): Plugin {
  let isFound = false
  return {
    name: 'insert-styles-in-render',
    apply: 'build',
    load(id) {
      if (!effectFile.test(id)) return null
      isFound = true
      return 'export const useInsertionEffect = undefined'
    },
    buildEnd(error) {
      if (!error && !isFound) this.error('@griffel/react has no useInsertionEffect.js anymore')
    },
  }
}
