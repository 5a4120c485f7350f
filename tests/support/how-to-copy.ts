import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { applyEdits, parseEdits } from './how-to.ts'
import { processEnvironment } from './process-environment.ts'

const copied = ['backend', 'contracts', 'web', 'tests', 'package.json', 'tsconfig.json', 'vitest.config.ts']
const runFile = promisify(execFile)

/** A copy of the project in which a how-to page was performed. */
export type HowToCopy = {
  folder: string
  /** Runs a program of the project in the copy and returns what it printed. Throws when it fails. */
  run(program: string, args: readonly string[], settings?: Record<string, string>): Promise<string>
  /** Returns what the type checker prints for both projects. Throws with it when there is an error. */
  checkTypes(): Promise<string>
  remove(): Promise<void>
}

/** Copies the project, performs a page of `docs/how-to/`, and records the schemas of the events. */
export async function performHowTo(page: string): Promise<HowToCopy> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'everchart-how-to-'))
  await Promise.all(copied.map((name) => cp(name, path.join(folder, name), { recursive: true })))
  await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'))
  await mkdir(path.join(folder, 'dist'))
  await applyEdits(folder, parseEdits(await readFile(page, 'utf8')))

  const run: HowToCopy['run'] = async (program, args, settings = {}) => {
    const { stdout } = await runFile(process.execPath, [program, ...args], {
      cwd: folder,
      env: { ...processEnvironment, ...settings },
      maxBuffer: 16 * 1024 * 1024,
    }).catch((error: { stdout: string; stderr: string }) => {
      throw new Error(`${program} ${args.join(' ')}\n${error.stdout}${error.stderr}`)
    })
    return stdout
  }
  await run('tests/golden/main.ts', [])
  return {
    folder,
    run,
    async checkTypes() {
      const outputs: string[] = []
      for (const project of ['tsconfig.json', 'web/tsconfig.json'])
        outputs.push(await run('node_modules/typescript/bin/tsc', ['-p', project]))
      return outputs.join('')
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
