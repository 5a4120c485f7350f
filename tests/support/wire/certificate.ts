import { generateKeyPairSync, sign } from 'node:crypto'

/** Encodes a DER element: tag, length, content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const bits = (content: Buffer) => der(0x03, Buffer.from([0]), content)
const object = (...bytes: number[]) => der(0x06, Buffer.from(bytes))
const time = (at: Date) => der(0x18, Buffer.from(`${at.toISOString().replaceAll(/[-:T]|\..*/g, '')}Z`))
const pem = (name: string, content: Buffer) =>
  `-----BEGIN ${name}-----\n${content.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END ${name}-----\n`

const ecdsaWithSha256 = sequence(object(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))
const day = 86_400_000

/** Creates a self-signed certificate for localhost and its key, both as PEM. */
export function createSelfSignedCertificate(): { certificate: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const commonName = sequence(object(0x55, 0x04, 0x03), der(0x0c, Buffer.from('Everchart tests')))
  const name = sequence(der(0x31, commonName))
  const names = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])))
  const isAuthority = sequence(der(0x01, Buffer.from([255])))
  const extensions = sequence(
    sequence(object(0x55, 0x1d, 0x11), der(0x04, names)),
    sequence(object(0x55, 0x1d, 0x13), der(0x04, isAuthority)),
  )
  const now = Date.now()
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time(new Date(now - day)), time(new Date(now + day))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  )
  return {
    certificate: pem('CERTIFICATE', sequence(signed, ecdsaWithSha256, bits(sign('sha256', signed, privateKey)))),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
