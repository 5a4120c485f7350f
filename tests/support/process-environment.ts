import path from 'node:path'

/**
 * What a process of ours gets of the environment, and nothing else of it. What Node has once compiled is kept, as
 * `npm start` keeps it: half of what a command takes is reading the same files again.
 */
export const processEnvironment = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: path.resolve('.cache/node'),
}
