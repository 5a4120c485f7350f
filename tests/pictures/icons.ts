import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'

/** Icons with the part of the width that the mark takes; systems cut off the edges of a maskable one. */
const icons = [
  { name: 'apple-touch-icon.png', size: 180, part: 0.7 },
  { name: 'icon-192.png', size: 192, part: 0.8 },
  { name: 'icon-512.png', size: 512, part: 0.8 },
  { name: 'icon-maskable.png', size: 512, part: 0.55 },
]
const faviconSize = 32

/** Draws the icons of the web app from `mark.svg`. */
export async function drawIcons(folder: string): Promise<void> {
  const mark = await readFile(path.join(folder, 'mark.svg'))
  for (const { name, size, part } of icons) {
    const drawn = await draw(mark, Math.round(size * part))
    const ground = sharp({ create: { width: size, height: size, channels: 3, background: 'white' } })
    await ground
      .composite([{ input: drawn }])
      .png({ palette: true })
      .toFile(path.join(folder, name))
  }
  await writeFile(path.join(folder, 'favicon.ico'), toIco(await draw(mark, faviconSize), faviconSize))
}

const draw = (mark: Buffer, size: number) =>
  sharp(mark, { density: 72 * (size / 32) })
    .resize(size, size)
    .png()
    .toBuffer()

/** Wraps a PNG into an ICO file with one image: a header of 6 bytes, an entry of 16, the PNG. */
function toIco(png: Buffer, size: number): Buffer {
  const header = Buffer.alloc(22)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(1, 4)
  header.writeUInt8(size, 6)
  header.writeUInt8(size, 7)
  header.writeUInt16LE(1, 10)
  header.writeUInt16LE(32, 12)
  header.writeUInt32LE(png.length, 14)
  header.writeUInt32LE(header.length, 18)
  return Buffer.concat([header, png])
}
