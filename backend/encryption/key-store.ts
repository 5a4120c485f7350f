import type { Key } from './cipher.ts'

/** Store of the data keys, one per subject: a patient, or another owner of encrypted fields. */
export type KeyStore = {
  /** Returns the keys to encrypt with; creates missing ones. Throws KeyDestroyed, StoreUnavailable. */
  getOrCreateMany(subjects: readonly string[]): Promise<ReadonlyMap<string, Key>>
  /** Returns the keys to decrypt with, in one query. Throws KeyMissing, StoreUnavailable. */
  getMany(subjects: readonly string[]): Promise<DataKeys>
}

/** A key store that can also erase a subject. */
export type ErasableKeyStore = KeyStore & {
  /** Returns a number that changes when a key may have been destroyed: what was decrypted before must not be shown any more. */
  getGeneration(): number
  /** Destroys a subject's key, which makes its values unreadable forever. Returns the time at which that happened. */
  destroy(subject: string): Promise<Date>
}

/** Data keys by subject; null where one was destroyed. A key is unwrapped on first access. */
export type DataKeys = { get(subject: string): Key | null | undefined }

/** The key was destroyed, which makes the subject's values unreadable forever; nothing new is written for the subject. */
export class KeyDestroyed extends Error {}

/** A key that was never destroyed is missing: the database has lost keys, as after a restore of an older backup. */
export class KeyMissing extends Error {}
