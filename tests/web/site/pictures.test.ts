import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { pictureSizes } from '#web/site/picture-sizes.ts'

const folder = 'web/site/pictures'
const files = readdirSync(folder)

it('has every picture in both themes, formats and densities, and no others', () => {
  const expected = Object.keys(pictureSizes).flatMap((name) =>
    ['light', 'dark'].flatMap((theme) =>
      ['', '@2x'].flatMap((density) => ['avif', 'webp'].map((format) => `${name}-${theme}${density}.${format}`)),
    ),
  )
  expect(files.toSorted()).toEqual(expected.toSorted())
})

it('keeps them below 1.5 MB in all', () => {
  expect(files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)).toBeLessThanOrEqual(1_500_000)
})
