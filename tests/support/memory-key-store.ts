import { type Key, generateKey } from '#encryption/cipher.ts'
import { KeyDestroyed, KeyMissing, type KeyStore } from '#encryption/key-store.ts'

/** Creates a key store in memory, whose keys can be destroyed or lost. */
export function createMemoryKeyStore(): KeyStore & { destroy(subject: string): void; lose(subject: string): void } {
  const keys = new Map<string, Key | null>()
  return {
    async getOrCreateMany(subjects) {
      return new Map(
        subjects.map((subject) => {
          const key = keys.has(subject) ? keys.get(subject) : generateKey()
          if (!key) throw new KeyDestroyed('Destroyed')
          keys.set(subject, key)
          return [subject, key]
        }),
      )
    },
    async getMany(subjects) {
      return new Map(
        subjects.map((subject) => {
          const key = keys.get(subject)
          if (key === undefined) throw new KeyMissing(`No key of ${subject}`)
          return [subject, key]
        }),
      )
    },
    destroy: (subject) => void keys.set(subject, null),
    lose: (subject) => void keys.delete(subject),
  }
}
