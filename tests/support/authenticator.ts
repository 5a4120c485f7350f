import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { ApiResponse, Client } from './client.ts'
import { password } from './practice.ts'

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const toText = (bytes: Buffer) => bytes.toString('base64url')

/** The bits of the flags of an authenticator (Web Authentication, 6.1). */
const flags = { present: 1, verified: 4, hasCredential: 64 }

/** The parts of a signature that a test can make wrong. */
type Faults = {
  origin?: string
  rpId?: string
  challenge?: string
  isVerified?: boolean
  /** The counter that is reported in place of the next one. */
  counter?: number
  userHandle?: string | null
  hasWrongSignature?: boolean
}

/** A device with one passkey, in software: its keys and signatures are real. */
export type Authenticator = {
  /** Creates the passkey; without options, for a challenge that was never issued. */
  create(options?: Options, faults?: Faults): object
  sign(options?: Options, faults?: Faults): object
  credentialId: string
}

type Options = { challenge: string; rp?: { id: string }; rpId?: string; user?: { id: string } }

const unknownChallenge: Options = { challenge: 'AAAA' }

/** Creates a device that is used at an origin. `isCounting` is false for devices whose counter stays 0. */
export function createAuthenticator(origin: string, { isCounting = true } = {}): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  let counter = 0
  let owner: string | undefined

  /** The public key in COSE (RFC 9053): EC2, ES256, P-256. */
  const coseKey = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  const createClientData = (type: string, { challenge }: Options, faults: Faults) =>
    Buffer.from(JSON.stringify({ type, challenge: faults.challenge ?? challenge, origin: faults.origin ?? origin }))
  function createAuthenticatorData(rpId: string, faults: Faults, credential?: Buffer): Buffer {
    const count = Buffer.alloc(4)
    if (isCounting) counter++
    count.writeUInt32BE(faults.counter ?? counter)
    const bits =
      flags.present | (faults.isVerified === false ? 0 : flags.verified) | (credential ? flags.hasCredential : 0)
    return Buffer.concat([sha256(faults.rpId ?? rpId), Buffer.from([bits]), count, credential ?? Buffer.alloc(0)])
  }
  const common = { id: toText(id), rawId: toText(id), type: 'public-key' }

  return {
    credentialId: toText(id),
    create(options = unknownChallenge, faults = {}) {
      owner = options.user?.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const credential = Buffer.concat([Buffer.alloc(16), length, id, coseKey])
      const data = createAuthenticatorData(options.rp?.id ?? '', faults, credential)
      // CBOR: { fmt: "none", attStmt: {}, authData }
      const attestationObject = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([data.length]),
        data,
      ])
      const clientDataJSON = toText(createClientData('webauthn.create', options, faults))
      const response = { clientDataJSON, attestationObject: toText(attestationObject), transports: ['internal'] }
      return { ...common, response, clientExtensionResults: {}, authenticatorAttachment: 'platform' }
    },
    sign(options = unknownChallenge, faults = {}) {
      const data = createAuthenticatorData(options.rpId ?? '', faults)
      const clientData = createClientData('webauthn.get', options, faults)
      const signed = faults.hasWrongSignature ? randomBytes(64) : Buffer.concat([data, sha256(clientData)])
      const userHandle = faults.userHandle === undefined ? owner : faults.userHandle
      const response = {
        clientDataJSON: toText(clientData),
        authenticatorData: toText(data),
        signature: toText(sign('sha256', signed, privateKey)),
        ...(userHandle == null ? {} : { userHandle }),
      }
      return { ...common, response, clientExtensionResults: {} }
    },
  }
}

/** Adds a passkey to the account of a signed-in client, and returns the reply. */
export async function addPasskey(
  client: Client,
  device: Authenticator,
  { name = 'Front desk laptop', code }: { name?: string; code?: string } = {},
): Promise<ApiResponse> {
  const begun = await client.post('/api/account/passkeys/options', {
    password,
    ...(code === undefined ? {} : { code }),
  })
  if (begun.status !== 200) return begun
  const { challengeId, options } = begun.body
  return await client.post('/api/account/passkeys', { challengeId, name, credential: device.create(options) })
}

/** Signs in with a passkey, and returns the reply. */
export async function signInWithPasskey(
  client: Client,
  device: Authenticator,
  { email, ...faults }: Faults & { email?: string } = {},
): Promise<ApiResponse> {
  const { challengeId, options } = (await client.post('/api/login/passkey/options')).body
  const credential = device.sign(options, faults)
  return await client.post('/api/login/passkey', { challengeId, credential, ...(email ? { email } : {}) })
}
