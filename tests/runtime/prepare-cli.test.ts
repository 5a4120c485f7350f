import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('does not empty the packages of another checkout through a symbolic link', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'everchart-prepare-'))
  try {
    const [others, checkout] = [path.join(folder, 'others'), path.join(folder, 'checkout')]
    await mkdir(others)
    await writeFile(path.join(others, 'in-use.js'), '')
    await mkdir(path.join(checkout, 'scripts'), { recursive: true })
    for (const name of ['prepare.mjs', 'progress.mjs'])
      await copyFile(path.join('scripts', name), path.join(checkout, 'scripts', name))
    await writeFile(path.join(checkout, 'package-lock.json'), '{"packages":{}}')
    await symlink(others, path.join(checkout, 'node_modules'))
    const prepared = promisify(execFile)(process.execPath, [path.join(checkout, 'scripts', 'prepare.mjs')])
    await expect(prepared).rejects.toMatchObject({
      code: 1,
      stderr: 'node_modules is a link to packages of another checkout: remove the link, or install there.\n',
    })
    expect(await readdir(others)).toEqual(['in-use.js'])
  } finally {
    await rm(folder, { recursive: true })
  }
})
